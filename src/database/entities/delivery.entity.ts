import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';
import { bigintsAsNumbers } from '../bigint.transformer.js';
import type { Surface } from './asset.entity.js';

export const DELIVERY_STATUSES = ['queued', 'running', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The renditions that can be delivered. */
export const DELIVERED_RENDITIONS = ['original', 'thumb', 'small', 'large', 'fit'] as const;
export type DeliveredRendition = (typeof DELIVERED_RENDITIONS)[number];

/** The step in which a delivery failed. */
export const DELIVERY_STEPS = ['check', 'prepare', 'look_up', 'upload'] as const;
export type DeliveryStep = (typeof DELIVERY_STEPS)[number];

/** The delivery of one asset to one target. */
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
  @Column('integer')
  attempts: number;

  /** Failed attempts since the delivery was created or last retried manually; determines the next delay. */
  @Column('integer')
  failures: number;

  @Column('timestamptz')
  nextAttemptAt: Date;

  /** Identifies the running attempt and fences off the previous one. */
  @Column('uuid', { nullable: true })
  leaseId: string | null;

  @Column('timestamptz', { nullable: true })
  heartbeatAt: Date | null;

  /** Whether bytes of the running attempt may have been sent. */
  @Column('boolean')
  isSending: boolean;

  /** Whether the outcome of any attempt is unknown. */
  @Column('boolean')
  isAmbiguous: boolean;

  /** The numbers of bytes that the attempts sent. An upload on the site with one of these sizes is complete. */
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

  /** The time until the next attempt is due, by the database's clock; 0 if it is due. */
  @VirtualColumn('float', {
    query: (alias) => `greatest(0, extract(epoch FROM ${alias}.next_attempt_at - clock_timestamp()))::float`,
  })
  dueInSeconds: number;

  /** The time since the last heartbeat of the running attempt. */
  @VirtualColumn('float', {
    query: (alias) => `extract(epoch FROM clock_timestamp() - ${alias}.heartbeat_at)::float`,
  })
  silentSeconds: number | null;
}
