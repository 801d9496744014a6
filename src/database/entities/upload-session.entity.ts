import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  Unique,
  VirtualColumn,
} from 'typeorm';
import { bigintAsNumber } from '../bigint.transformer.js';
import { Client } from './client.entity.js';
import { Folder } from './folder.entity.js';
import { isOneOf } from './one-of.js';

export const UPLOAD_STATUSES = [
  'pending',
  'finalizing',
  'finalized',
  'rejected',
  'cancelled',
  'expired',
] as const;
export type UploadStatus = (typeof UPLOAD_STATUSES)[number];
export type EndedStatus = Exclude<UploadStatus, 'pending' | 'finalizing'>;

@Entity('upload_sessions')
@ForeignKey(() => Client, ['clientId'], ['id'], { name: 'upload_sessions_client_id_fkey' })
@ForeignKey(() => Folder, ['clientId', 'folderId'], ['clientId', 'id'], {
  name: 'upload_sessions_folder_fkey',
  onDelete: 'SET NULL',
})
@Unique('upload_sessions_client_id_id_key', ['clientId', 'id'])
@Unique('upload_sessions_token_hash_key', ['tokenHash'])
@Check('upload_sessions_status_check', isOneOf('status', UPLOAD_STATUSES))
@Check('upload_sessions_expected_size_bytes_check', 'expected_size_bytes >= 0')
@Check(
  'upload_sessions_lease',
  `(status = 'finalizing') = (lease_until IS NOT NULL) AND (status <> 'finalizing' OR attempt IS NOT NULL)`,
)
@Check(
  'upload_sessions_upload_deletion',
  `delete_upload_at IS NULL OR status NOT IN ('pending', 'finalizing')`,
)
@Index('upload_sessions_by_asset', ['assetId'])
@Index('upload_sessions_by_end', ['expiresAt'], {
  where: `status IN ('finalized', 'rejected', 'cancelled', 'expired')`,
})
@Index('upload_sessions_by_expiry', ['expiresAt'], { where: `status = 'pending'` })
@Index('upload_sessions_by_folder', ['clientId', 'folderId'], { where: 'folder_id IS NOT NULL' })
@Index('upload_sessions_by_lease', ['leaseUntil'], { where: `status = 'finalizing'` })
@Index('upload_sessions_by_upload_deletion', ['deleteUploadAt'], { where: 'delete_upload_at IS NOT NULL' })
@Index('upload_sessions_open', { synchronize: false })
export class UploadSession {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  clientId: string;

  /** SHA-256 of the upload token; the token itself is never stored. */
  @Column('bytea')
  tokenHash: Buffer;

  @Column('text', { default: 'pending' })
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

  /** How often a finalize failed because its decoder was killed, which is not the file's fault. */
  @Column('integer', { default: 0 })
  decoderKills: number;

  /** Set if that happened too often: when the file will be decoded again. */
  @Column('timestamptz', { nullable: true })
  decodeAfter: Date | null;

  /** When its upload will be deleted (again). Null while the session is open, and after the last deletion. */
  @Column('timestamptz', { nullable: true })
  deleteUploadAt: Date | null;

  /**
   * Whether it is being finalized now. Like `isOverdue`, computed with the database's clock, because the clocks of processes may differ.
   */
  @VirtualColumn('boolean', {
    query: (alias) => `${alias}.status = 'finalizing' AND ${alias}.lease_until > clock_timestamp()`,
  })
  isLeased: boolean;

  @VirtualColumn('boolean', { query: (alias) => `${alias}.expires_at <= clock_timestamp()` })
  isOverdue: boolean;

  /** How long until `decodeAfter`. */
  @VirtualColumn('integer', {
    query: (alias) => `ceil(extract(epoch FROM ${alias}.decode_after - clock_timestamp()))::integer`,
  })
  secondsUntilDecode: number | null;

  /** The worker resets sessions within a minute after their lease expires, so if this is set, the database was restored. */
  @VirtualColumn('boolean', {
    query: (alias) => `coalesce(${alias}.lease_until < clock_timestamp() - interval '1 hour', false)`,
  })
  isLongAbandoned: boolean;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
