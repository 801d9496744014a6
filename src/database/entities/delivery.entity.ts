import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';
import { bigintsAsNumbers } from '../bigint.transformer.js';
import type { Surface } from './asset.entity.js';

export const DELIVERY_STATUSES = ['queued', 'running', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** What of an asset is delivered. */
export const DELIVERED_RENDITIONS = ['original', 'thumb', 'small', 'large', 'fit'] as const;
export type DeliveredRendition = (typeof DELIVERED_RENDITIONS)[number];

/** What a delivery was doing when it failed. */
export const DELIVERY_STEPS = ['check', 'prepare', 'look_up', 'upload'] as const;
export type DeliveryStep = (typeof DELIVERY_STEPS)[number];

/** One asset on its way to one target. */
@Entity('deliveries')
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

  /** What of the asset is delivered: two of the same identity to the same target are the same delivery. */
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

  /** Tries that were started. */
  @Column('integer')
  attempts: number;

  /** Tries that failed since it was created or last retried by hand: the place in the schedule. */
  @Column('integer')
  failures: number;

  @Column('timestamptz')
  nextAttemptAt: Date;

  /** Names the running try, and fences off the one before. */
  @Column('uuid', { nullable: true })
  leaseId: string | null;

  @Column('timestamptz', { nullable: true })
  heartbeatAt: Date | null;

  /** Whether bytes of the running try may have left. */
  @Column('boolean')
  isSending: boolean;

  /** Whether any try ended without anybody knowing what the target made of it. */
  @Column('boolean')
  isAmbiguous: boolean;

  /** How many bytes the tries sent: an upload that is found with one of these sizes is whole. */
  @Column('bigint', { array: true, transformer: bigintsAsNumbers })
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

  @Column('timestamptz')
  createdAt: Date;

  @Column('timestamptz')
  updatedAt: Date;

  /** How long until the next try is due, by the database's clock; 0 when it is. */
  @VirtualColumn('float', {
    query: (alias) => `greatest(0, extract(epoch FROM ${alias}.next_attempt_at - clock_timestamp()))::float`,
  })
  dueInSeconds: number;

  /** How long ago the running try showed a sign of life. */
  @VirtualColumn('float', {
    query: (alias) => `extract(epoch FROM clock_timestamp() - ${alias}.heartbeat_at)::float`,
  })
  silentSeconds: number | null;
}
