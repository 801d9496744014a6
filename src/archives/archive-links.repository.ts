import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ClientScope } from '../access/principal.js';
import { Database } from '../database/database.js';
import type { ArchiveLink } from '../database/entities/archive-link.entity.js';

const LIFETIME = '10 minutes';
/** How long the service can still say that a link is over. */
const REMEMBERED = '1 hour';
const LINKS_PER_ACTOR = 20;

export type NewLink = Pick<ArchiveLink, 'id' | 'expiresAt'>;
export type FoundLink = Pick<ArchiveLink, 'id' | 'assetIds'> & {
  /** Expired or used, by the database's clock. */
  readonly isOver: boolean;
};

@Injectable()
export class ArchiveLinksRepository {
  constructor(private readonly database: Database) {}

  async insert(
    { clientId, actor }: ClientScope,
    id: string,
    assetIds: readonly string[],
    manager: EntityManager,
  ): Promise<NewLink> {
    const [link] = await manager.query<[NewLink]>(
      `INSERT INTO archive_links (id, client_id, actor_id, asset_ids, expires_at)
       VALUES ($1, $2, $3, $4, now() + $5::interval) RETURNING id, expires_at AS "expiresAt"`,
      [id, clientId, actor.id, assetIds, LIFETIME],
    );
    return link;
  }

  /** Of the actor's links with every client, only the newest are kept. */
  async deleteOldest({ actor }: ClientScope, manager: EntityManager): Promise<void> {
    await manager.query(
      `DELETE FROM archive_links WHERE id IN (
         SELECT id FROM archive_links WHERE actor_id = $1 ORDER BY id DESC OFFSET $2)`,
      [actor.id, LINKS_PER_ACTOR],
    );
  }

  async find({ clientId, actor }: ClientScope, id: string): Promise<FoundLink | null> {
    const [link] = await this.database.manager.query<FoundLink[]>(
      `SELECT id, asset_ids AS "assetIds", used_at IS NOT NULL OR expires_at <= now() AS "isOver"
         FROM archive_links WHERE client_id = $1 AND actor_id = $2 AND id = $3`,
      [clientId, actor.id, id],
    );
    return link ?? null;
  }

  async setUsed({ clientId, actor }: ClientScope, id: string): Promise<void> {
    await this.database.manager.query(
      `UPDATE archive_links SET used_at = coalesce(used_at, now()) WHERE client_id = $1 AND actor_id = $2 AND id = $3`,
      [clientId, actor.id, id],
    );
  }

  /** Returns how many were deleted. */
  async deleteOld(limit: number): Promise<number> {
    const [, count] = await this.database.manager.query<[unknown, number]>(
      `DELETE FROM archive_links WHERE id IN (
         SELECT id FROM archive_links WHERE expires_at < now() - $2::interval ORDER BY expires_at LIMIT $1)`,
      [limit, REMEMBERED],
    );
    return count;
  }
}
