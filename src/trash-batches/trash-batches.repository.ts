import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, LessThan } from 'typeorm';
import type { ClientScope, InClient } from '../access/principal.js';
import { columnsOf } from '../database/columns.js';
import { Database } from '../database/database.js';
import { TrashBatch } from '../database/entities/trash-batch.entity.js';
import { liveFolder, restorableAsset } from '../database/live.js';
import type { Queries } from '../database/queries.js';

const BATCH_COLUMNS = columnsOf(TrashBatch);

/** A folder in the trash has a batch; the assets in it do not. Only assets that were trashed individually have one. */
@Injectable()
export class TrashBatchesRepository {
  constructor(private readonly database: Database) {}

  findPage(scope: ClientScope, beforeId: string | null, take: number): Promise<TrashBatch[]> {
    return this.database.manager.find(TrashBatch, {
      where: {
        clientId: scope.clientId,
        purgingSince: IsNull(),
        ...(beforeId === null ? {} : { id: LessThan(beforeId) }),
      },
      order: { id: 'DESC' },
      take,
    });
  }

  /** Whether an asset can be restored, either by itself or with its folder. */
  async holdsAsset(
    { clientId }: InClient,
    id: string,
    queries: Queries = this.database.manager,
  ): Promise<boolean> {
    const rows = await queries.query<unknown[]>(
      `SELECT 1 FROM assets WHERE client_id = $1 AND id = $2 AND ${restorableAsset()}`,
      [clientId, id],
    );
    return rows.length > 0;
  }

  async holdsFolder({ clientId }: InClient, id: string, queries: Queries): Promise<boolean> {
    const rows = await queries.query<unknown[]>(
      `SELECT 1 FROM folders
         JOIN trash_batches batches ON batches.client_id = folders.client_id
          AND batches.id = folders.batch_id AND batches.purging_since IS NULL
        WHERE folders.client_id = $1 AND folders.id = $2`,
      [clientId, id],
    );
    return rows.length > 0;
  }

  lockBatch(scope: ClientScope, id: string, manager: EntityManager): Promise<TrashBatch | null> {
    return manager.findOne(TrashBatch, {
      where: { clientId: scope.clientId, id, purgingSince: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
  }

  async insertBatch(
    batch: Omit<TrashBatch, 'trashedAt' | 'purgingSince'>,
    manager: EntityManager,
  ): Promise<TrashBatch> {
    const [row] = await manager.query<TrashBatch[]>(
      `INSERT INTO trash_batches (id, client_id, folder_id, asset_id, name, folders, assets, trashed_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${BATCH_COLUMNS}`,
      [
        batch.id,
        batch.clientId,
        batch.folderId,
        batch.assetId,
        batch.name,
        batch.folders,
        batch.assets,
        batch.trashedBy,
      ],
    );
    return row!;
  }

  /** Adds an asset to the newest restorable batch of this name and origin; its retention starts again. Null if there is none. */
  async extendBatch(
    { clientId }: InClient,
    { name, trashedBy }: Pick<TrashBatch, 'name' | 'trashedBy'>,
    manager: EntityManager,
  ): Promise<string | null> {
    const [rows] = await manager.query<[{ id: string }[], number]>(
      `UPDATE trash_batches SET assets = assets + 1, trashed_at = now()
        WHERE client_id = $1 AND purging_since IS NULL AND id = (
          SELECT id FROM trash_batches
           WHERE client_id = $1 AND name = $2 AND trashed_by = $3 AND purging_since IS NULL
             AND folder_id IS NULL AND asset_id IS NULL
           ORDER BY id DESC LIMIT 1)
       RETURNING id`,
      [clientId, name, trashedBy],
    );
    return rows[0]?.id ?? null;
  }

  async setCounts(
    { clientId }: InClient,
    id: string,
    counts: { folders: number; assets: number },
    manager: EntityManager,
  ): Promise<void> {
    await manager.update(TrashBatch, { clientId, id }, counts);
  }

  async trashFolders(
    { clientId }: InClient,
    ids: readonly string[],
    batchId: string,
    manager: EntityManager,
  ): Promise<void> {
    await manager.query('UPDATE folders SET batch_id = $3 WHERE client_id = $1 AND id = ANY($2::uuid[])', [
      clientId,
      ids,
      batchId,
    ]);
  }

  /** Assets in the folders of a batch, except those that were trashed individually. */
  async countAssetsIn({ clientId }: InClient, batchId: string, manager: EntityManager): Promise<number> {
    const [row] = await manager.query<{ assets: number }[]>(
      `SELECT coalesce(sum(assets), 0)::int AS assets FROM asset_counts
        WHERE client_id = $1 AND tag = '' AND folder_id IN (SELECT id FROM folders WHERE client_id = $1 AND batch_id = $2)`,
      [clientId, batchId],
    );
    return row!.assets;
  }

  async trashAssets(
    { clientId }: InClient,
    ids: readonly string[],
    batchId: string,
    manager: EntityManager,
  ): Promise<void> {
    await manager.query('UPDATE assets SET batch_id = $3 WHERE client_id = $1 AND id = ANY($2::uuid[])', [
      clientId,
      ids,
      batchId,
    ]);
  }

  async findFolder(
    { clientId }: InClient,
    id: string,
    manager: EntityManager,
  ): Promise<{ id: string; parentId: string | null; name: string } | null> {
    const [row] = await manager.query<{ id: string; parentId: string | null; name: string }[]>(
      'SELECT id, parent_id AS "parentId", name FROM folders WHERE client_id = $1 AND id = $2',
      [clientId, id],
    );
    return row ?? null;
  }

  async reviveFolder(
    { clientId }: InClient,
    id: string,
    place: { parentId: string | null; name: string; nameKey: string },
    manager: EntityManager,
  ): Promise<void> {
    await manager.query(
      `UPDATE folders SET batch_id = NULL, parent_id = $3, name = $4, name_key = $5, updated_at = now()
        WHERE client_id = $1 AND id = $2`,
      [clientId, id, place.parentId, place.name, place.nameKey],
    );
  }

  async reviveFolders({ clientId }: InClient, batchId: string, manager: EntityManager): Promise<void> {
    await manager.query('UPDATE folders SET batch_id = NULL WHERE client_id = $1 AND batch_id = $2', [
      clientId,
      batchId,
    ]);
  }

  /** Assets that were trashed individually. If their folder is gone or in the trash, they are restored to the top level. */
  async reviveAssets({ clientId }: InClient, batchId: string, manager: EntityManager): Promise<void> {
    await manager.query(
      `UPDATE assets SET batch_id = NULL, version = version + 1, updated_at = now(),
          folder_id = (SELECT f.id FROM folders f WHERE f.client_id = $1 AND f.id = assets.folder_id AND ${liveFolder('f')})
        WHERE client_id = $1 AND batch_id = $2`,
      [clientId, batchId],
    );
  }

  async deleteBatch({ clientId }: InClient, id: string, manager: EntityManager): Promise<void> {
    await manager.delete(TrashBatch, { clientId, id });
  }

  /** Marks one batch for purging; false if it does not exist or is already marked. */
  async markPurging({ clientId }: InClient, batchId: string, manager: EntityManager): Promise<boolean> {
    const [, count] = await manager.query<[unknown, number]>(
      'UPDATE trash_batches SET purging_since = now() WHERE client_id = $1 AND id = $2 AND purging_since IS NULL',
      [clientId, batchId],
    );
    return count === 1;
  }

  /** The newest batch that can still be restored. */
  async findNewestId({ clientId }: InClient): Promise<string | null> {
    const [row] = await this.database.manager.query<{ id: string }[]>(
      'SELECT id FROM trash_batches WHERE client_id = $1 AND purging_since IS NULL ORDER BY id DESC LIMIT 1',
      [clientId],
    );
    return row?.id ?? null;
  }

  /** Marks up to `take` batches of a client, none newer than `lastId`. Returns their number. */
  async markAllPurging(
    { clientId }: InClient,
    lastId: string,
    take: number,
    manager: EntityManager,
  ): Promise<number> {
    const [, count] = await manager.query<[unknown, number]>(
      `UPDATE trash_batches SET purging_since = now() WHERE client_id = $1 AND purging_since IS NULL AND id IN (
         SELECT id FROM trash_batches WHERE client_id = $1 AND purging_since IS NULL AND id <= $2 ORDER BY id DESC LIMIT $3
         FOR UPDATE)`,
      [clientId, lastId, take],
    );
    return count;
  }

  /** Marks up to `take` batches of any client that have been in the trash for longer than the retention period. */
  async markExpired(retentionSeconds: number, take: number, manager: EntityManager): Promise<TrashBatch[]> {
    const [rows] = await manager.query<[TrashBatch[], number]>(
      `UPDATE trash_batches SET purging_since = now() WHERE purging_since IS NULL AND id IN (
         SELECT id FROM trash_batches WHERE purging_since IS NULL AND trashed_at < now() - make_interval(secs => $1)
          ORDER BY trashed_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING ${BATCH_COLUMNS}`,
      [retentionSeconds, take],
    );
    return rows;
  }

  /** Clients with batches that are not purged yet. */
  async findClientsPurging(): Promise<string[]> {
    const rows = await this.database.manager.query<{ id: string }[]>(
      `SELECT id FROM clients
        WHERE EXISTS (SELECT 1 FROM trash_batches WHERE client_id = clients.id AND purging_since IS NOT NULL) ORDER BY id`,
    );
    return rows.map(({ id }) => id);
  }
}
