import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  Unique,
  UpdateDateColumn,
} from 'typeorm';
import { Client } from './client.entity.js';
import { TrashBatch } from './trash-batch.entity.js';
import { isOneOf } from './one-of.js';

/** `Social` and `Social/Posted` are identified by this key, not by their name (specification, section 2). */
export const SYSTEM_FOLDER_KEYS = ['social', 'social_posted'] as const;
export type SystemFolder = (typeof SYSTEM_FOLDER_KEYS)[number];

@Entity('folders')
@ForeignKey(() => Client, ['clientId'], ['id'], { name: 'folders_client_id_fkey' })
@ForeignKey(() => Folder, ['clientId', 'parentId'], ['clientId', 'id'], {
  name: 'folders_parent_fkey',
  onDelete: 'SET NULL',
})
@ForeignKey(() => TrashBatch, ['clientId', 'batchId'], ['clientId', 'id'], { name: 'folders_batch_fkey' })
@Unique('folders_client_id_id_key', ['clientId', 'id'])
@Check('folders_system_key_check', isOneOf('system_key', SYSTEM_FOLDER_KEYS))
@Check('folders_not_own_parent', 'parent_id <> id')
@Check('folders_system_are_live', 'system_key IS NULL OR batch_id IS NULL')
@Index('folders_by_batch', ['clientId', 'batchId'], { where: 'batch_id IS NOT NULL' })
@Index('folders_by_parent', ['clientId', 'parentId'])
@Index('folders_name_key', { synchronize: false })
@Index('folders_system_key', ['clientId', 'systemKey'], { unique: true, where: 'system_key IS NOT NULL' })
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
