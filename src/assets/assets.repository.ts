import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ClientScope } from '../auth/principal.js';
import { Database } from '../database/database.js';
import type { Asset } from '../database/entities/asset.entity.js';
import type { Queries } from '../database/queries.js';
import { ASSET_COLUMNS, type AssetRow, liveAsset, toAsset, TRASHED_FOLDERS } from './asset-rows.js';
import { searchTextOf } from './search.rules.js';

export type NewAsset = Omit<Asset, 'version' | 'createdAt' | 'updatedAt' | 'searchText' | 'batchId'>;

/** What people may change. */
export type AssetChange = Partial<
  Pick<Asset, 'title' | 'description' | 'altText' | 'tags' | 'allowedSurfaces' | 'folderId'>
>;

const BY_ID = {
  name: 'find-asset',
  text: `SELECT ${ASSET_COLUMNS} FROM assets WHERE client_id = $1 AND id = $2 AND ${liveAsset()}`,
};

/** Live assets only: what is in the trash looks as if it did not exist. */
@Injectable()
export class AssetsRepository {
  constructor(private readonly database: Database) {}

  async findById(
    scope: Pick<ClientScope, 'clientId'>,
    id: string,
    manager?: EntityManager,
  ): Promise<Asset | null> {
    const values = [scope.clientId, id];
    const rows = manager
      ? await manager.query<AssetRow[]>(BY_ID.text, values)
      : await this.database.find<AssetRow>(BY_ID, values);
    return rows[0] ? toAsset(rows[0]) : null;
  }

  /**
   * In order of their ids, so that two who lock the same assets wait for each other instead of deadlocking. The caller holds the
   * folder structure first: nobody trashes the folder of a locked asset.
   */
  async lock(manager: EntityManager, scope: ClientScope, ids: readonly string[]): Promise<Asset[]> {
    const rows = await manager.query<AssetRow[]>(
      `SELECT ${ASSET_COLUMNS} FROM assets WHERE client_id = $1 AND id = ANY($2::uuid[]) AND ${liveAsset()}
        ORDER BY id FOR UPDATE`,
      [scope.clientId, ids],
    );
    return rows.map(toAsset);
  }

  /** The oldest asset of the client with the same bytes. */
  async findDuplicate(manager: EntityManager, clientId: string, sha256: string): Promise<string | null> {
    const [asset] = await manager.query<{ id: string }[]>(
      `SELECT id FROM assets WHERE client_id = $1 AND sha256 = $2 AND ${liveAsset()} ORDER BY id LIMIT 1`,
      [clientId, sha256],
    );
    return asset?.id ?? null;
  }

  async insert(manager: EntityManager, asset: NewAsset): Promise<Asset> {
    const [row] = await manager.query<AssetRow[]>(
      `INSERT INTO assets (id, client_id, session_id, attempt, folder_id, title, description, alt_text, tags, allowed_surfaces,
           original_filename, mime_type, size_bytes, sha256, width, height, duration_ms, taken_at, placeholder, duplicate_of,
           search_text, version)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, 1)
         RETURNING ${ASSET_COLUMNS}`,
      [
        asset.id,
        asset.clientId,
        asset.sessionId,
        asset.attempt,
        asset.folderId,
        asset.title,
        asset.description,
        asset.altText,
        asset.tags,
        asset.allowedSurfaces,
        asset.originalFilename,
        asset.mimeType,
        asset.sizeBytes,
        asset.sha256,
        asset.width,
        asset.height,
        asset.durationMs,
        asset.takenAt,
        asset.placeholder,
        asset.duplicateOf,
        searchTextOf(asset),
      ],
    );
    return toAsset(row!);
  }

  /** Writes the change into assets the caller has locked; each gets a new version. */
  async update(
    manager: EntityManager,
    assets: readonly Asset[],
    changeOf: (asset: Asset) => AssetChange,
  ): Promise<void> {
    const rows = assets.map((asset) => {
      const changed = { ...asset, ...changeOf(asset) };
      return { ...changed, searchText: searchTextOf(changed) };
    });
    await manager.query(
      `UPDATE assets SET title = c.title, description = c.description, alt_text = c."altText", tags = c.tags,
          allowed_surfaces = c."allowedSurfaces", folder_id = c."folderId", search_text = c."searchText",
          version = version + 1, updated_at = now()
         FROM jsonb_to_recordset($1::jsonb) AS c(id uuid, title text, description text, "altText" text, tags text[],
          "allowedSurfaces" text[], "folderId" uuid, "searchText" text)
        WHERE assets.id = c.id`,
      [JSON.stringify(rows)],
    );
  }

  /** Where there is none yet. Nobody's edit, so no new version: whoever is editing meanwhile is not told to start over. */
  async fillPlaceholder(
    { clientId, id }: Pick<Asset, 'clientId' | 'id'>,
    placeholder: string,
  ): Promise<void> {
    await this.database.manager.query(
      'UPDATE assets SET placeholder = $3 WHERE client_id = $1 AND id = $2 AND placeholder IS NULL',
      [clientId, id, placeholder],
    );
  }

  /** From the counts that are kept. Those of trashed folders are left out. */
  countTags(queries: Queries, { clientId }: ClientScope): Promise<{ tag: string; assets: number }[]> {
    return queries.query(
      `SELECT tag, sum(assets)::int AS assets FROM asset_counts
        WHERE client_id = $1 AND tag <> '' AND (folder_id IS NULL
          OR folder_id NOT IN (${TRASHED_FOLDERS}))
        GROUP BY tag HAVING sum(assets) > 0 ORDER BY assets DESC, tag`,
      [clientId],
      'count-tags',
    );
  }
}
