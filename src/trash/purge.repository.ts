import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { InClient } from '../access/principal.js';
import { Database } from '../database/database.js';
import type { TrashBatch } from '../database/entities/trash-batch.entity.js';
import { liveInItsFolder } from '../database/live.js';

/** An asset to delete permanently, with the names of all its objects. */
export interface AssetToPurge {
  readonly id: string;
  readonly attempt: string;
  readonly folderId: string | null;
  readonly renditions: string[];
}

const DOOMED = `a.id, a.attempt, a.folder_id AS "folderId",
  ARRAY(SELECT r.name FROM renditions r WHERE r.client_id = a.client_id AND r.asset_id = a.id) AS renditions`;

/** Permanently deletes the contents of a trash batch. No statement touches more than a page of rows, however large the batch is. */
@Injectable()
export class PurgeRepository {
  constructor(private readonly database: Database) {}

  async findNextPurging(
    { clientId }: InClient,
    afterId: string | null,
  ): Promise<Pick<TrashBatch, 'id' | 'name' | 'folders' | 'assets'> | null> {
    const [row] = await this.database.manager.query<TrashBatch[]>(
      `SELECT id, name, folders, assets FROM trash_batches
        WHERE client_id = $1 AND purging_since IS NOT NULL AND id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
        ORDER BY id LIMIT 1`,
      [clientId, afterId],
    );
    return row ?? null;
  }

  /** Assets that were trashed individually. */
  findAssets({ clientId }: InClient, batchId: string, take: number): Promise<AssetToPurge[]> {
    return this.database.manager.query(
      `SELECT ${DOOMED} FROM assets a WHERE a.client_id = $1 AND a.batch_id = $2 ORDER BY a.id LIMIT $3`,
      [clientId, batchId, take],
    );
  }

  /** Assets that were trashed with their folder. `fromFolderId` skips earlier folders, which have been processed. */
  findAssetsInFolders(
    { clientId }: InClient,
    batchId: string,
    fromFolderId: string | null,
    take: number,
  ): Promise<AssetToPurge[]> {
    return this.database.manager.query(
      `SELECT ${DOOMED}
         FROM (SELECT client_id, id FROM folders WHERE client_id = $1 AND batch_id = $2
                  AND id >= coalesce($3::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY id) f
        CROSS JOIN LATERAL (
          SELECT * FROM assets WHERE client_id = f.client_id AND folder_id = f.id AND ${liveInItsFolder()} LIMIT $4) a
        ORDER BY f.id LIMIT $4`,
      [clientId, batchId, fromFolderId, take],
    );
  }

  async deleteAssets({ clientId }: InClient, ids: readonly string[], manager: EntityManager): Promise<void> {
    await manager.query('DELETE FROM assets WHERE client_id = $1 AND id = ANY($2::uuid[])', [clientId, ids]);
  }

  /** Clears references to these assets as duplicates. Returns the number of changed rows, at most `take`. */
  clearDuplicates({ clientId }: InClient, ids: readonly string[], take: number): Promise<number> {
    return this.change(
      `UPDATE assets SET duplicate_of = NULL WHERE client_id = $1 AND id IN (
         SELECT id FROM assets WHERE client_id = $1 AND duplicate_of = ANY($2::uuid[]) LIMIT $3)`,
      [clientId, ids, take],
    );
  }

  /** Assets that were trashed individually stay in the trash and lose their folder. */
  detachAssets({ clientId }: InClient, batchId: string, take: number): Promise<number> {
    return this.change(
      `UPDATE assets SET folder_id = NULL WHERE client_id = $1 AND id IN (
         SELECT a.id FROM folders f JOIN assets a ON a.client_id = f.client_id AND a.folder_id = f.id
          WHERE f.client_id = $1 AND f.batch_id = $2 AND a.batch_id IS NOT NULL LIMIT $3)`,
      [clientId, batchId, take],
    );
  }

  detachSessions({ clientId }: InClient, batchId: string, take: number): Promise<number> {
    return this.change(
      `UPDATE upload_sessions SET folder_id = NULL WHERE client_id = $1 AND id IN (
         SELECT s.id FROM folders f JOIN upload_sessions s ON s.client_id = f.client_id AND s.folder_id = f.id
          WHERE f.client_id = $1 AND f.batch_id = $2 LIMIT $3)`,
      [clientId, batchId, take],
    );
  }

  /** Keeps folders that still hide an asset: the foreign key would move it to the top level, where it is live. */
  deleteFolders({ clientId }: InClient, batchId: string, take: number): Promise<number> {
    return this.change(
      `DELETE FROM folders WHERE client_id = $1 AND id IN (
         SELECT f.id FROM folders f WHERE f.client_id = $1 AND f.batch_id = $2 AND NOT EXISTS (
           SELECT 1 FROM assets a WHERE a.client_id = f.client_id AND a.folder_id = f.id AND ${liveInItsFolder('a')}) LIMIT $3)`,
      [clientId, batchId, take],
    );
  }

  /** False if someone else has finished it. */
  async deleteBatch({ clientId }: InClient, batchId: string, manager: EntityManager): Promise<boolean> {
    const [, count] = await manager.query<[unknown, number]>(
      'DELETE FROM trash_batches WHERE client_id = $1 AND id = $2',
      [clientId, batchId],
    );
    return count === 1;
  }

  private async change(sql: string, values: unknown[]): Promise<number> {
    const [, count] = await this.database.manager.query<[unknown, number]>(sql, values);
    return count;
  }
}
