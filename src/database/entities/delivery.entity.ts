import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { bigintsAsNumbers } from '../bigint.transformer.js';
import { type Surface, SURFACES } from './asset.entity.js';
import { Target } from './target.entity.js';
import { isOneOf } from './one-of.js';

export const DELIVERY_STATUSES = ['queued', 'running', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The renditions that can be delivered. */
export const DELIVERED_RENDITIONS = ['original', 'thumb', 'small', 'large', 'fit'] as const;
export type DeliveredRendition = (typeof DELIVERED_RENDITIONS)[number];

/** The step in which a delivery failed. */
export const DELIVERY_STEPS = ['check', 'prepare', 'look_up', 'upload'] as const;
export type DeliveryStep = (typeof DELIVERY_STEPS)[number];

/** An attempt is due at `nextAttemptAt`; after the end of a delivery with an unknown outcome, another look at the target. */
export const WAITING = `(status = 'queued' OR is_ambiguous AND status <> 'running')`;

/** The delivery of one asset to one target. */
@Entity('deliveries')
@ForeignKey(() => Target, ['clientId', 'targetId'], ['clientId', 'id'], { name: 'deliveries_target_fkey' })
@Check('deliveries_surface_check', isOneOf('surface', SURFACES))
@Check('deliveries_status_check', isOneOf('status', DELIVERY_STATUSES))
@Check(
  'deliveries_running',
  `(status <> 'running' OR lease_id IS NOT NULL) AND (lease_id IS NULL OR heartbeat_at IS NOT NULL)`,
)
@Check('deliveries_sending', `status = 'running' OR NOT is_sending`)
@Check('deliveries_error', 'num_nulls(error_code, error_detail, error_step) IN (0, 3)')
@Index('deliveries_by_asset', ['clientId', 'assetId', 'id'])
@Index('deliveries_by_client', ['clientId', 'id'])
@Index('deliveries_by_status', ['clientId', 'status', 'id'])
@Index('deliveries_by_target', ['clientId', 'targetId', 'id'])
@Index('deliveries_due', ['targetId', 'nextAttemptAt'], { where: WAITING })
@Index('deliveries_held', ['targetId'], { where: 'lease_id IS NOT NULL' })
@Index('deliveries_open', ['targetId', 'assetId', 'identity'], {
  unique: true,
  where: `status IN ('queued', 'running')`,
})
export class Delivery {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  clientId: string;

  @Column('uuid')
  assetId: string;

  @Column('uuid')
  targetId: string;

  @Column('text')
  surface: Surface;

  @Column('text')
  rendition: DeliveredRendition;

  /** Identifies what is delivered: two deliveries with the same identity and target are the same delivery. */
  @Column('text')
  identity: string;

  @Column('text')
  title: string;

  @Column('text')
  altText: string;

  @Column('text')
  caption: string;

  @Column('text')
  description: string;

  @Column('text')
  status: DeliveryStatus;

  /** The number of attempts that were started. */
  @Column('integer', { default: 0 })
  attempts: number;

  /** Failed attempts since the delivery was created or last retried manually, or failed looks after its end; determines the next delay. */
  @Column('integer', { default: 0 })
  failures: number;

  @Column('timestamptz', { default: () => 'now()' })
  nextAttemptAt: Date;

  /** Identifies who works on the delivery, and fences off the previous one. Its target is occupied meanwhile. */
  @Column('uuid', { nullable: true })
  leaseId: string | null;

  @Column('timestamptz', { nullable: true })
  heartbeatAt: Date | null;

  /** Whether bytes of the running attempt may have been sent. */
  @Column('boolean', { default: false })
  isSending: boolean;

  /** Whether the outcome of any attempt is unknown, until somebody has looked for it after the delivery has ended. */
  @Column('boolean', { default: false })
  isAmbiguous: boolean;

  /** The numbers of bytes that the attempts sent. An upload on the site with one of these sizes is complete. */
  @Column('bigint', { array: true, default: [], transformer: bigintsAsNumbers })
  sentSizes: number[];

  @Column('text', { nullable: true })
  errorCode: string | null;

  @Column('text', { nullable: true })
  errorDetail: string | null;

  @Column('text', { nullable: true })
  errorStep: DeliveryStep | null;

  @Column('text', { nullable: true })
  remoteId: string | null;

  @Column('text', { nullable: true })
  remoteUrl: string | null;

  @Column('text')
  createdBy: string;

  @Column('uuid', { nullable: true })
  createdById: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt: Date;

  /** The time since the last heartbeat, by the database's clock. */
  @VirtualColumn('float', {
    query: (alias) => `extract(epoch FROM clock_timestamp() - ${alias}.heartbeat_at)::float`,
  })
  silentSeconds: number | null;
}
