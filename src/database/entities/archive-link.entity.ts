import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Client } from './client.entity.js';

/** A link to the archive of some assets. Only the user or API key that requested it can use it, once and for a short time. */
@Entity('archive_links')
@ForeignKey(() => Client, ['clientId'], ['id'], { name: 'archive_links_client_id_fkey', onDelete: 'CASCADE' })
@Index('archive_links_by_actor', ['actorId', 'id'])
@Index('archive_links_by_end', ['expiresAt'])
export class ArchiveLink {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  clientId: string;

  @Column('uuid')
  actorId: string;

  @Column('uuid', { array: true })
  assetIds: string[];

  @Column('timestamptz')
  expiresAt: Date;

  /** When the archive was first sent completely. */
  @Column('timestamptz', { nullable: true })
  usedAt: Date | null;
}
