import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Client } from './client.entity.js';

/** What was trashed together: a folder with everything in it, or some assets. */
@Entity('trash_batches')
@ForeignKey(() => Client, ['clientId'], ['id'], { name: 'trash_batches_client_id_fkey' })
@Unique('trash_batches_client_id_id_key', ['clientId', 'id'])
@Index('trash_batches_by_age', ['trashedAt'], { where: 'purging_since IS NULL' })
@Index('trash_batches_by_client', { synchronize: false })
@Index('trash_batches_purging', ['clientId', 'id'], { where: 'purging_since IS NOT NULL' })
export class TrashBatch {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  clientId: string;

  /** The trashed folder, if it was a folder. */
  @Column('uuid', { nullable: true })
  folderId: string | null;

  /** The trashed asset, if it was a single one. */
  @Column('uuid', { nullable: true })
  assetId: string | null;

  @Column('text')
  name: string;

  @Column('integer')
  folders: number;

  @Column('integer')
  assets: number;

  @Column('text')
  trashedBy: string;

  @Column('timestamptz', { default: () => 'now()' })
  trashedAt: Date;

  /** Set when it is being deleted permanently and can no longer be restored. */
  @Column('timestamptz', { nullable: true })
  purgingSince: Date | null;
}
