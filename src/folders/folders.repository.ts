import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import type { ClientScope } from '../auth/principal.js';
import { Database } from '../database/database.js';
import { Folder } from '../database/entities/folder.entity.js';
import { FolderTree } from './folder-tree.rules.js';

export type NewFolder = Omit<Folder, 'createdAt' | 'updatedAt' | 'batchId'>;

/** Live folders only: what is in the trash looks as if it did not exist. */
@Injectable()
export class FoldersRepository {
  constructor(private readonly database: Database) {}

  /** Changes of one client's structure happen one after the other, so that what was checked still holds when it is written. */
  async lockStructure(manager: EntityManager, clientId: string): Promise<void> {
    await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('folders:' || $1, 0))`, [clientId]);
  }

  async loadTree(
    scope: ClientScope,
    manager: EntityManager = this.database.manager,
  ): Promise<FolderTree<Folder>> {
    const folders = await manager.find(Folder, {
      where: { clientId: scope.clientId, batchId: IsNull() },
      order: { nameKey: 'ASC' },
    });
    return new FolderTree(folders);
  }

  exists(scope: ClientScope, id: string, manager: EntityManager = this.database.manager): Promise<boolean> {
    return manager.existsBy(Folder, { clientId: scope.clientId, id, batchId: IsNull() });
  }

  /** Holds the folder where it is until the transaction ends: an asset never lands in a folder that is being trashed. */
  async holdLive(manager: EntityManager, clientId: string, id: string): Promise<boolean> {
    const rows = await manager.query<unknown[]>(
      'SELECT 1 FROM folders WHERE client_id = $1 AND id = $2 AND batch_id IS NULL FOR SHARE',
      [clientId, id],
    );
    return rows.length === 1;
  }

  /** The folder and its ancestors, from the top down; empty when it does not exist. */
  findPath(
    scope: ClientScope,
    id: string,
    manager: EntityManager = this.database.manager,
  ): Promise<Folder[]> {
    return this.select(
      manager,
      `WITH RECURSIVE path AS (
         SELECT f.*, 0 AS level FROM folders f WHERE client_id = $1 AND id = $2 AND batch_id IS NULL
         UNION ALL
         SELECT f.*, path.level + 1 FROM folders f JOIN path ON f.client_id = $1 AND f.id = path.parent_id WHERE f.batch_id IS NULL
       ) SELECT * FROM path ORDER BY level DESC`,
      [scope.clientId, id],
    );
  }

  findChildren(
    scope: ClientScope,
    parentId: string | null,
    manager: EntityManager = this.database.manager,
  ): Promise<Folder[]> {
    return this.select(
      manager,
      `SELECT * FROM folders WHERE client_id = $1 AND batch_id IS NULL AND parent_id ${parentId === null ? 'IS NULL' : '= $2'}
        ORDER BY name_key`,
      parentId === null ? [scope.clientId] : [scope.clientId, parentId],
    );
  }

  async findSubtreeIds(
    scope: ClientScope,
    id: string,
    manager: EntityManager = this.database.manager,
  ): Promise<string[]> {
    const rows = await manager.query<{ id: string }[]>(
      `WITH RECURSIVE below AS (
         SELECT id FROM folders WHERE client_id = $1 AND id = $2 AND batch_id IS NULL
         UNION ALL
         SELECT f.id FROM folders f JOIN below ON f.parent_id = below.id WHERE f.client_id = $1 AND f.batch_id IS NULL
       ) SELECT id FROM below`,
      [scope.clientId, id],
    );
    return rows.map((row) => row.id);
  }

  /** How many live assets lie directly in each folder; null stands for the top level. From the counts that are kept. */
  async countAssets(
    scope: ClientScope,
    manager: EntityManager = this.database.manager,
  ): Promise<Map<string | null, number>> {
    const rows = await manager.query<{ folder_id: string | null; assets: number }[]>(
      `SELECT folder_id, assets FROM asset_counts WHERE client_id = $1 AND tag = ''`,
      [scope.clientId],
    );
    return new Map(rows.map((row) => [row.folder_id, row.assets]));
  }

  /** How many assets lie directly in these folders, live or trashed, without those trashed on their own. */
  async countAssetsIn(manager: EntityManager, clientId: string, ids: readonly string[]): Promise<number> {
    const [row] = await manager.query<{ assets: number }[]>(
      `SELECT coalesce(sum(assets), 0)::int AS assets FROM asset_counts
        WHERE client_id = $1 AND tag = '' AND folder_id = ANY($2::uuid[])`,
      [clientId, ids],
    );
    return row!.assets;
  }

  async insert(manager: EntityManager, folder: NewFolder): Promise<void> {
    await manager.insert(Folder, folder);
  }

  async update(manager: EntityManager, id: string, change: Partial<NewFolder>): Promise<void> {
    await manager.update(Folder, { id }, change);
  }

  findById(manager: EntityManager, clientId: string, id: string): Promise<Folder | null> {
    return manager.findOneBy(Folder, { clientId, id, batchId: IsNull() });
  }

  private async select(manager: EntityManager, sql: string, values: unknown[]): Promise<Folder[]> {
    const rows = await manager.query<Record<string, unknown>[]>(sql, values);
    return rows.map((row) => ({
      id: row['id'],
      clientId: row['client_id'],
      parentId: row['parent_id'],
      name: row['name'],
      nameKey: row['name_key'],
      systemKey: row['system_key'],
      batchId: row['batch_id'],
      createdAt: row['created_at'],
      updatedAt: row['updated_at'],
    })) as Folder[];
  }
}
