import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What was trashed together: a folder with everything in it, or some assets. */
@Entity('trash_batches')
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

  @Column('timestamptz')
  trashedAt: Date;

  /** Set when it is being deleted permanently and can no longer be restored. */
  @Column('timestamptz', { nullable: true })
  purgingSince: Date | null;
}
