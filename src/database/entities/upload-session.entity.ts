import { Column, CreateDateColumn, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';
import { bigintAsNumber } from '../bigint.transformer.js';

export const UPLOAD_STATUSES = [
  'pending',
  'finalizing',
  'finalized',
  'rejected',
  'cancelled',
  'expired',
] as const;
export type UploadStatus = (typeof UPLOAD_STATUSES)[number];

@Entity('upload_sessions')
export class UploadSession {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  clientId: string;

  /** SHA-256 of the upload token; the token itself is never stored. */
  @Column('bytea')
  tokenHash: Buffer;

  @Column('text')
  status: UploadStatus;

  /** Chosen when the session is created, so that a session can only become one asset. */
  @Column('uuid')
  assetId: string;

  @Column('uuid', { nullable: true })
  folderId: string | null;

  @Column('text')
  originalFilename: string;

  @Column('text')
  mimeType: string;

  @Column('bigint', { transformer: bigintAsNumber })
  expectedSizeBytes: number;

  /** As declared by the caller. */
  @Column('text', { nullable: true })
  sha256: string | null;

  @Column('text', { nullable: true })
  multipartUploadId: string | null;

  @Column('bigint', { nullable: true, transformer: bigintAsNumber })
  partSizeBytes: number | null;

  /** Identifies the copy that is being verified and fences off the previous holder of the lease. */
  @Column('uuid', { nullable: true })
  attempt: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil: Date | null;

  @Column('text', { nullable: true })
  rejectedCode: string | null;

  @Column('text', { nullable: true })
  rejectedDetail: string | null;

  @Column('timestamptz')
  urlExpiresAt: Date;

  @Column('timestamptz')
  expiresAt: Date;

  /** Failed attempts to finalize that were the caller's fault. */
  @Column('integer', { default: 0 })
  failedAttempts: number;

  /**
   * Whether it is being finalized now. Like `isOverdue`, computed with the database's clock, because the clocks of processes may differ.
   */
  @VirtualColumn('boolean', {
    query: (alias) => `${alias}.status = 'finalizing' AND ${alias}.lease_until > clock_timestamp()`,
  })
  isLeased: boolean;

  @VirtualColumn('boolean', { query: (alias) => `${alias}.expires_at <= clock_timestamp()` })
  isOverdue: boolean;

  /** The worker resets sessions within a minute after their lease expires, so if this is set, the database was restored. */
  @VirtualColumn('boolean', {
    query: (alias) => `coalesce(${alias}.lease_until < clock_timestamp() - interval '1 hour', false)`,
  })
  isLongAbandoned: boolean;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
