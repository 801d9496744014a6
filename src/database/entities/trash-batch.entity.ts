import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What was trashed together: a folder with everything below, or some assets. */
@Entity('trash_batches')
export class TrashBatch {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  clientId: string;

  /** The folder it is about, if it is about one. */
  @Column('uuid', { nullable: true })
  folderId: string | null;

  /** The asset it is about, if it is about a single one. */
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

  /** Set when it is being deleted for good; it can no longer be restored then. */
  @Column('timestamptz', { nullable: true })
  purgingSince: Date | null;
}
