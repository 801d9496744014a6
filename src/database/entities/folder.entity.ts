import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** `Social` and `Social/Posted` are identified by this key, not by their name (specification, section 2). */
export type SystemFolder = 'social' | 'social_posted';

@Entity('folders')
export class Folder {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  clientId: string;

  /** Null = top level. */
  @Column('uuid', { nullable: true })
  parentId: string | null;

  @Column('text')
  name: string;

  /** The normalized name for comparison with its siblings. */
  @Column('text')
  nameKey: string;

  @Column('text', { nullable: true })
  systemKey: SystemFolder | null;

  /** Null means live; otherwise the batch it was trashed with. */
  @Column('uuid', { nullable: true })
  batchId: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
