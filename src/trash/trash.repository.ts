import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, LessThan } from 'typeorm';
import type { ClientScope } from '../auth/principal.js';
import { Database } from '../database/database.js';
import type { Folder } from '../database/entities/folder.entity.js';
import { TrashBatch } from '../database/entities/trash-batch.entity.js';

export interface TrashedAsset {
  readonly id: string;
  readonly folderId: string | null;
  readonly attempt: string;
}

@Injectable()
export class TrashRepository {
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

  lockBatch(manager: EntityManager, scope: ClientScope, id: string): Promise<TrashBatch | null> {
    return manager.findOne(TrashBatch, {
      where: { clientId: scope.clientId, id, purgingSince: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
  }

  async insertBatch(manager: EntityManager, batch: TrashBatch): Promise<void> {
    await manager.insert(TrashBatch, batch);
  }

  async setCounts(
    manager: EntityManager,
    id: string,
    counts: { folders: number; assets: number },
  ): Promise<void> {
    await manager.update(TrashBatch, { id }, counts);
  }

  async trashFolders(
    manager: EntityManager,
    clientId: string,
    ids: readonly string[],
    batchId: string,
  ): Promise<void> {
    await manager.query('UPDATE folders SET batch_id = $3 WHERE client_id = $1 AND id = ANY($2::uuid[])', [
      clientId,
      ids,
      batchId,
    ]);
  }

  /** Those that lie in the folders and are not in the trash already; how many. */
  async trashAssetsIn(
    manager: EntityManager,
    clientId: string,
    folderIds: readonly string[],
    batchId: string,
  ): Promise<number> {
    const [, count] = await manager.query<[unknown, number]>(
      'UPDATE assets SET batch_id = $3 WHERE client_id = $1 AND folder_id = ANY($2::uuid[]) AND batch_id IS NULL',
      [clientId, folderIds, batchId],
    );
    return count;
  }

  async trashAssets(
    manager: EntityManager,
    clientId: string,
    ids: readonly string[],
    batchId: string,
  ): Promise<void> {
    await manager.query('UPDATE assets SET batch_id = $3 WHERE client_id = $1 AND id = ANY($2::uuid[])', [
      clientId,
      ids,
      batchId,
    ]);
  }

  findFolders(
    manager: EntityManager,
    clientId: string,
    batchId: string,
  ): Promise<Pick<Folder, 'id' | 'parentId' | 'name'>[]> {
    return manager.query(
      'SELECT id, parent_id AS "parentId", name FROM folders WHERE client_id = $1 AND batch_id = $2 ORDER BY id',
      [clientId, batchId],
    );
  }

  async reviveFolder(
    manager: EntityManager,
    clientId: string,
    id: string,
    place: { parentId: string | null; name: string; nameKey: string },
  ): Promise<void> {
    await manager.query(
      `UPDATE folders SET batch_id = NULL, parent_id = $3, name = $4, name_key = $5, updated_at = now()
        WHERE client_id = $1 AND id = $2`,
      [clientId, id, place.parentId, place.name, place.nameKey],
    );
  }

  async reviveFolders(manager: EntityManager, clientId: string, batchId: string): Promise<void> {
    await manager.query('UPDATE folders SET batch_id = NULL WHERE client_id = $1 AND batch_id = $2', [
      clientId,
      batchId,
    ]);
  }

  /** Assets whose folder is gone, or still in the trash, come back at the top level. */
  async reviveAssets(manager: EntityManager, clientId: string, batchId: string): Promise<void> {
    await manager.query(
      `UPDATE assets SET batch_id = NULL, version = version + 1, updated_at = now(),
          folder_id = (SELECT f.id FROM folders f WHERE f.client_id = $1 AND f.id = assets.folder_id AND f.batch_id IS NULL)
        WHERE client_id = $1 AND batch_id = $2`,
      [clientId, batchId],
    );
  }

  async deleteBatch(manager: EntityManager, id: string): Promise<void> {
    await manager.delete(TrashBatch, { id });
  }

  /** Marks one batch, or all of the client, for purging; ids of those that were not yet. */
  async markPurging(manager: EntityManager, clientId: string, batchId: string | null): Promise<string[]> {
    const [rows] = await manager.query<[{ id: string }[], number]>(
      `UPDATE trash_batches SET purging_since = now()
        WHERE client_id = $1 AND purging_since IS NULL AND ($2::uuid IS NULL OR id = $2) RETURNING id`,
      [clientId, batchId],
    );
    return rows.map(({ id }) => id);
  }

  findExpired(before: Date, take: number): Promise<TrashBatch[]> {
    return this.database.manager.find(TrashBatch, {
      where: { purgingSince: IsNull(), trashedAt: LessThan(before) },
      order: { trashedAt: 'ASC' },
      take,
    });
  }

  async findPurging(id: string): Promise<TrashBatch | null> {
    const batch = await this.database.manager.findOneBy(TrashBatch, { id });
    return batch?.purgingSince ? batch : null;
  }

  findAssets(clientId: string, batchId: string, take: number): Promise<TrashedAsset[]> {
    return this.database.manager.query(
      `SELECT id, folder_id AS "folderId", attempt FROM assets WHERE client_id = $1 AND batch_id = $2 ORDER BY id LIMIT $3`,
      [clientId, batchId, take],
    );
  }

  async deleteAssets(manager: EntityManager, clientId: string, ids: readonly string[]): Promise<void> {
    await manager.query(
      'UPDATE assets SET duplicate_of = NULL WHERE client_id = $1 AND duplicate_of = ANY($2::uuid[])',
      [clientId, ids],
    );
    await manager.query('DELETE FROM assets WHERE client_id = $1 AND id = ANY($2::uuid[])', [clientId, ids]);
  }

  /** What other batches left in them keeps its place in the trash, and loses its place in the tree. */
  async deleteFolders(manager: EntityManager, clientId: string, batchId: string): Promise<void> {
    await manager.query('DELETE FROM folders WHERE client_id = $1 AND batch_id = $2', [clientId, batchId]);
  }
}
