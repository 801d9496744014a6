import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { bigintAsNumber } from '../bigint.transformer.js';
import { Asset } from './asset.entity.js';

/** A rendition of an asset: made, being made, or not made because of the file (`failed`) or because its decoder was killed (`killed`). */
@Entity('renditions')
@ForeignKey(() => Asset, ['clientId', 'assetId'], ['clientId', 'id'], {
  name: 'renditions_asset_fkey',
  onDelete: 'CASCADE',
})
@Check('renditions_status_check', `status IN ('making', 'ready', 'failed', 'killed')`)
@Check('renditions_ready', `status <> 'ready' OR (sha256 IS NOT NULL AND size_bytes IS NOT NULL)`)
@Index('renditions_by_asset', ['clientId', 'assetId'])
export class RenditionRecord {
  @Column('text')
  clientId: string;

  @PrimaryColumn('uuid')
  assetId: string;

  @PrimaryColumn('text')
  name: string;

  @Column('text')
  status: 'making' | 'ready' | 'failed' | 'killed';

  @Column('text', { nullable: true })
  sha256: string | null;

  @Column('bigint', { nullable: true, transformer: bigintAsNumber })
  sizeBytes: number | null;

  /** Why it could not be made. */
  @Column('text', { nullable: true })
  failure: string | null;

  @Column('integer', { default: 0 })
  failures: number;

  /** How often its decoder was killed. Of renditions that are made together, only one counts. */
  @Column('integer', { default: 0 })
  kills: number;

  /** While making: until when nobody else starts. Otherwise: until when nobody retries. */
  @Column('timestamptz', { nullable: true })
  holdUntil: Date | null;

  /** Written by SQL. */
  @Column({ type: 'timestamptz', default: () => 'now()', select: false, insert: false, update: false })
  readonly updatedAt?: Date;

  /** Computed with the database's clock. */
  @VirtualColumn('boolean', { query: (alias) => `coalesce(${alias}.hold_until > clock_timestamp(), false)` })
  isHeld: boolean;
}
