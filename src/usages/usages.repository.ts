import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import type { ClientScope, InClient } from '../access/principal.js';
import { newId } from '../common/ids.js';
import { columnsOf } from '../database/columns.js';
import { Database } from '../database/database.js';
import { Usage, type UsageKind } from '../database/entities/usage.entity.js';
import { liveInItsFolder } from '../database/live.js';
import { LIVE_ROLES } from './usage.rules.js';

/** `usedAt` defaults to now. */
export type NewUsage = Pick<Usage, 'assetId' | 'kind' | 'externalId' | 'surface' | 'role'> &
  Partial<Pick<Usage, 'position' | 'title' | 'url' | 'platform' | 'usedAt' | 'postId'>>;

/** The client and the actor that uses its assets: the caller, or the actor that requested the delivery. */
export interface UserOfAssets {
  readonly clientId: string;
  readonly actor: { readonly id: string | null; readonly name: string; readonly email: string | null };
}

/** Assets by id, or all assets in some folders. */
export type AssetsOrFolders = { assetIds: readonly string[] } | { folderIds: readonly string[] };

const COLUMNS = columnsOf(Usage, 'u');

const LIVE = `u.role IN (${LIVE_ROLES.map((role) => `'${role}'`).join(', ')})`;

/** Usages of one asset with the same kind and post are one use. It is shown in its most telling role. */
const POST = 'coalesce(u.post_id, u.external_id)';
const BY_USE = `u.asset_id, u.kind, ${POST}`;
const TELLING = `array_position(ARRAY['delivered', 'posted', 'featured', 'attached'], u.role)`;
const USE = `DISTINCT ON (${BY_USE}) ${COLUMNS.replace(
  'u.title AS',
  `coalesce(u.title, max(u.title) OVER (PARTITION BY ${BY_USE})) AS`,
)}`;

@Injectable()
export class UsagesRepository {
  constructor(private readonly database: Database) {}

  /** One per use, newest first: those that the caller may know of, for the surfaces of its key. */
  findOfAsset(
    { clientId, actor }: ClientScope,
    assetId: string,
    beforeId: string | null,
    take: number,
  ): Promise<Usage[]> {
    return this.database.manager.query(
      `SELECT * FROM (
         SELECT ${USE} FROM usages u
          WHERE u.client_id = $1 AND u.asset_id = $2 AND ($5::text[] IS NULL OR u.surface = ANY($5))
          ORDER BY ${BY_USE}, ${TELLING}, u.id) AS use
        WHERE id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY id DESC LIMIT $4`,
      [clientId, assetId, beforeId, take, actor.surfaces],
    );
  }

  /** The usages of a reference: the featured one first, the others in order. */
  findReference(
    { clientId }: InClient,
    kind: UsageKind,
    externalId: string,
    manager: EntityManager = this.database.manager,
  ): Promise<Usage[]> {
    return manager.query(
      `SELECT ${COLUMNS} FROM usages u WHERE u.client_id = $1 AND u.kind = $2 AND u.external_id = $3 AND ${LIVE}
        ORDER BY u.role <> 'featured', u.position`,
      [clientId, kind, externalId],
    );
  }

  findOne(
    { clientId }: InClient,
    key: Pick<Usage, 'kind' | 'externalId' | 'role' | 'assetId'>,
    manager: EntityManager,
  ): Promise<Usage | null> {
    return manager.findOneBy(Usage, { clientId, ...key });
  }

  /** Locks the reference against changes until the transaction ends. */
  async lockReference(
    { clientId }: InClient,
    kind: UsageKind,
    externalId: string,
    manager: EntityManager,
  ): Promise<void> {
    await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('reference:' || $1, 0))`, [
      JSON.stringify([clientId, kind, externalId]),
    ]);
  }

  /** All at once and in the order of their ids, because several statements that lock some of them each could deadlock. */
  async lockAssets(
    { clientId }: InClient,
    usages: readonly Pick<Usage, 'assetId'>[],
    manager: EntityManager,
  ): Promise<void> {
    await manager.query(
      'SELECT FROM assets WHERE client_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR UPDATE',
      [clientId, usages.map(({ assetId }) => assetId)],
    );
  }

  /** Records usages. An existing one keeps its id and time. Returns all of them as stored, in the given order. */
  async put(scope: UserOfAssets, usages: readonly NewUsage[], manager: EntityManager): Promise<Usage[]> {
    const rows = usages.map((usage) => ({ id: newId(), position: 0, ...usage }));
    const stored = await manager.query<Usage[]>(
      `INSERT INTO usages AS u (id, client_id, asset_id, kind, external_id, post_id, surface, role, position, title, url, platform, used_at,
           created_by, created_by_id)
         SELECT r.id, $1, r."assetId", r.kind, r."externalId", r."postId", r.surface, r.role, r.position, r.title, r.url, r.platform,
           coalesce(r."usedAt", now()), $3, $4
           FROM jsonb_to_recordset($2::jsonb) AS r(id uuid, "assetId" uuid, kind text, "externalId" text, "postId" text, surface text, role text,
             position integer, title text, url text, platform text, "usedAt" timestamptz)
         ON CONFLICT (client_id, kind, external_id, role, asset_id)
           DO UPDATE SET position = excluded.position, title = excluded.title, url = excluded.url, post_id = excluded.post_id
         RETURNING ${COLUMNS}`,
      [scope.clientId, JSON.stringify(rows), scope.actor.email ?? scope.actor.name, scope.actor.id],
    );
    const byKey = new Map(stored.map((usage) => [keyOf(usage), usage]));
    return usages.map((usage) => byKey.get(keyOf(usage))!);
  }

  /** Whether a reference to the post with this address uses the asset. */
  isReferenced(
    { clientId }: InClient,
    assetId: string,
    postId: string,
    manager: EntityManager,
  ): Promise<boolean> {
    return manager.existsBy(Usage, {
      clientId,
      assetId,
      kind: 'social_post',
      postId,
      role: In([...LIVE_ROLES]),
    });
  }

  /** The oldest reference to a social post without an address that uses the asset and of which no post has been recorded. */
  async findPlannedPost(
    { clientId }: InClient,
    assetId: string,
    manager: EntityManager,
  ): Promise<string | null> {
    const [planned] = await manager.query<{ externalId: string }[]>(
      `SELECT u.external_id AS "externalId" FROM usages u
        WHERE u.client_id = $1 AND u.asset_id = $2 AND u.kind = 'social_post' AND ${LIVE} AND u.url IS NULL
          AND NOT EXISTS (
            SELECT 1 FROM usages posted
             WHERE posted.client_id = $1 AND posted.asset_id = $2 AND posted.kind = 'social_post'
               AND posted.role = 'posted' AND posted.post_id = u.external_id)
        ORDER BY u.id LIMIT 1`,
      [clientId, assetId],
    );
    return planned?.externalId ?? null;
  }

  /** For a reference that has an address now: only the address says which post it is. */
  async matchByAddress(
    { clientId }: InClient,
    { externalId, postId }: { externalId: string; postId: string },
    manager: EntityManager,
  ): Promise<void> {
    await manager.query(
      `UPDATE usages SET post_id = NULL
        WHERE client_id = $1 AND kind = 'social_post' AND role = 'posted' AND post_id IS NOT NULL
          AND (post_id = $2 OR external_id = $3)`,
      [clientId, externalId, postId],
    );
  }

  async delete({ clientId }: InClient, ids: readonly string[], manager: EntityManager): Promise<void> {
    if (ids.length > 0)
      await manager.query('DELETE FROM usages WHERE client_id = $1 AND id = ANY($2::uuid[])', [
        clientId,
        ids,
      ]);
  }

  /** The newest usages that prevent trashing live assets and that the caller may know of, and the number of all of them. */
  async findLive(
    { clientId, actor }: ClientScope,
    place: AssetsOrFolders,
    take: number,
    manager: EntityManager,
  ): Promise<{ usages: Usage[]; count: number }> {
    const [condition, ids] =
      'assetIds' in place
        ? ['u.asset_id = ANY($2::uuid[])', place.assetIds]
        : ['a.folder_id = ANY($2::uuid[])', place.folderIds];
    const rows = await manager.query<(Usage & { count: number; isVisible: boolean })[]>(
      `SELECT *, count(*) OVER ()::int AS count, coalesce(surface = ANY($4::text[]), true) AS "isVisible"
         FROM (SELECT ${USE}
                 FROM usages u JOIN assets a ON a.client_id = u.client_id AND a.id = u.asset_id
                WHERE u.client_id = $1 AND ${LIVE} AND ${liveInItsFolder('a')} AND ${condition}
                ORDER BY ${BY_USE}, ${TELLING}, u.id) AS use
        ORDER BY "isVisible" DESC, id DESC LIMIT $3`,
      [clientId, ids, take, actor.surfaces],
    );
    const visible = rows.filter(({ isVisible }) => isVisible);
    return {
      usages: visible.map(({ count: _count, isVisible: _isVisible, ...usage }) => usage),
      count: rows[0]?.count ?? 0,
    };
  }

  /** Which of these assets are used by a reference. */
  async findUsed(
    { clientId }: InClient,
    assetIds: readonly string[],
    manager: EntityManager,
  ): Promise<Set<string>> {
    const rows = await manager.query<{ assetId: string }[]>(
      `SELECT DISTINCT u.asset_id AS "assetId" FROM usages u
        WHERE u.client_id = $1 AND u.asset_id = ANY($2::uuid[]) AND ${LIVE}`,
      [clientId, assetIds],
    );
    return new Set(rows.map(({ assetId }) => assetId));
  }
}

function keyOf({ kind, externalId, role, assetId }: NewUsage): string {
  return JSON.stringify([kind, externalId, role, assetId]);
}
