import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';
import { bigintAsNumber } from '../bigint.transformer.js';

/** A rendition of an asset: made, being made, or failed. */
@Entity('renditions')
export class RenditionRecord {
  @Column('text')
  clientId: string;

  @PrimaryColumn('uuid')
  assetId: string;

  @PrimaryColumn('text')
  name: string;

  @Column('text')
  status: 'making' | 'ready' | 'failed';

  @Column('text', { nullable: true })
  sha256: string | null;

  @Column('bigint', { nullable: true, transformer: bigintAsNumber })
  sizeBytes: number | null;

  /** Why it could not be made. */
  @Column('text', { nullable: true })
  failure: string | null;

  @Column('integer')
  failures: number;

  /** While making: until when nobody else starts. After a failure: until when nobody retries. */
  @Column('timestamptz', { nullable: true })
  holdUntil: Date | null;

  /** Computed with the database's clock. */
  @VirtualColumn('boolean', { query: (alias) => `coalesce(${alias}.hold_until > clock_timestamp(), false)` })
  isHeld: boolean;
}
