import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import type { ClientScope, InClient } from '../access/principal.js';
import { newId } from '../common/ids.js';
import { inNaturalOrder } from '../common/natural-order.js';
import { columnsOf } from '../database/columns.js';
import { allowedOn } from '../database/allowed-on.js';
import { Database } from '../database/database.js';
import { Folder, type SystemFolder } from '../database/entities/folder.entity.js';
import type { Queries } from '../database/queries.js';
import { liveFolder, liveInItsFolder } from '../database/live.js';
import { MAX_DEPTH, nameKeyOf, SYSTEM_FOLDERS } from './folder-name.rules.js';
import { FolderTree } from './folder-tree.rules.js';

export type NewFolder = Omit<Folder, 'createdAt' | 'updatedAt' | 'batchId'>;

const COLUMNS = columnsOf(Folder, 'f');

/**
 * The folder $2 of the client $1 and its ancestors. Each is looked up by its id: a join could read all folders of a client that has many
 * more than the planner expects.
 */
const PATH = `WITH RECURSIVE path AS (
    SELECT f.*, 0 AS level FROM folders f WHERE client_id = $1 AND id = $2 AND ${liveFolder('f')}
    UNION ALL
    SELECT parent.*, path.level + 1 FROM path CROSS JOIN LATERAL (
      SELECT * FROM folders WHERE client_id = $1 AND id = path.parent_id AND ${liveFolder()} OFFSET 0) AS parent
     WHERE path.level < ${MAX_DEPTH})`;

function byName<T extends Folder>(folders: readonly T[]): T[] {
  return inNaturalOrder(folders, ({ nameKey }) => nameKey);
}

/** Live folders only: folders in the trash appear not to exist. */
@Injectable()
export class FoldersRepository {
  constructor(private readonly database: Database) {}

  /** Locks the client's folders and their contents against changes until the transaction ends. See `FolderStructure`. */
  async lockStructure({ clientId }: InClient, manager: EntityManager): Promise<void> {
    await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('folders:' || $1, 0))`, [clientId]);
  }

  /**
   * Locks the client's folders, shared, until the transaction ends. Changes of assets take this lock, so no asset is changed in, or moved
   * into, a folder that is being trashed. Taken before any asset is locked, to prevent deadlocks.
   */
  async lockShared({ clientId }: InClient, manager: EntityManager): Promise<void> {
    await manager.query(`SELECT pg_advisory_xact_lock_shared(hashtextextended('folders:' || $1, 0))`, [
      clientId,
    ]);
  }

  async loadTree(scope: ClientScope, queries: Queries = this.database.manager): Promise<FolderTree<Folder>> {
    const folders = await queries.query<Folder[]>(
      `SELECT ${COLUMNS} FROM folders f WHERE client_id = $1 AND ${liveFolder('f')}`,
      [scope.clientId],
      'find-folder-tree',
    );
    return new FolderTree(byName(folders));
  }

  exists(scope: ClientScope, id: string, manager: EntityManager = this.database.manager): Promise<boolean> {
    return manager.existsBy(Folder, { clientId: scope.clientId, id, batchId: IsNull() });
  }

  /** Whether the folder is live; it then stays so until the transaction ends. */
  async lockLive({ clientId }: InClient, id: string, manager: EntityManager): Promise<boolean> {
    await this.lockShared({ clientId }, manager);
    return manager.existsBy(Folder, { clientId, id, batchId: IsNull() });
  }

  /** The folder and its ancestors, from the top down; empty if it does not exist. */
  findPath({ clientId }: InClient, id: string, queries: Queries = this.database.manager): Promise<Folder[]> {
    return queries.query(
      `${PATH} SELECT ${COLUMNS} FROM path f ORDER BY level DESC`,
      [clientId, id],
      'find-folder-path',
    );
  }

  async findChildren(
    scope: ClientScope,
    parentId: string | null,
    queries: Queries = this.database.manager,
  ): Promise<Folder[]> {
    const folders = await queries.query<Folder[]>(
      `SELECT ${COLUMNS} FROM folders f
        WHERE client_id = $1 AND ${liveFolder('f')} AND parent_id ${parentId === null ? 'IS NULL' : '= $2'}`,
      parentId === null ? [scope.clientId] : [scope.clientId, parentId],
      parentId === null ? 'find-top-folders' : 'find-child-folders',
    );
    return byName(folders);
  }

  /** Both of the above in one query. */
  async findPathAndChildren(
    { clientId }: ClientScope,
    id: string,
    queries: Queries = this.database.manager,
  ): Promise<{ path: Folder[]; children: Folder[] }> {
    const rows = await queries.query<(Folder & { level: number })[]>(
      `${PATH} SELECT ${COLUMNS}, level FROM path f
       UNION ALL
       SELECT ${COLUMNS}, -1 FROM folders f WHERE client_id = $1 AND ${liveFolder('f')} AND parent_id = $2
       ORDER BY level DESC`,
      [clientId, id],
      'open-folder',
    );
    const length = rows.findIndex(({ level }) => level < 0);
    return length < 0
      ? { path: rows, children: [] }
      : { path: rows.slice(0, length), children: byName(rows.slice(length)) };
  }

  async findSubtreeIds(
    scope: ClientScope,
    id: string,
    queries: Queries = this.database.manager,
  ): Promise<string[]> {
    return (await this.findSubtree(scope, id, null, queries)).flat();
  }

  /**
   * The ids of a folder and everything below, level by level: of live folders, or of those in one trash batch. One query per level, because
   * the planner of a recursive query cannot estimate the next level.
   */
  async findSubtree(
    { clientId }: InClient,
    id: string,
    batchId: string | null,
    queries: Queries,
  ): Promise<string[][]> {
    const state = batchId === null ? liveFolder() : 'batch_id = $3';
    const find = async (column: 'id' | 'parent_id', ids: string[]) => {
      const rows = await queries.query<{ id: string }[]>(
        `SELECT id FROM folders WHERE client_id = $1 AND ${column} = ANY($2::uuid[]) AND ${state}`,
        batchId === null ? [clientId, ids] : [clientId, ids, batchId],
      );
      return rows.map((row) => row.id);
    };
    const levels: string[][] = [];
    let level = await find('id', [id]);
    while (level.length > 0 && levels.length <= MAX_DEPTH) {
      levels.push(level);
      level = await find('parent_id', level);
    }
    return levels;
  }

  /** The live children of a parent that have one of these names. */
  findByNames(
    { clientId }: InClient,
    parentId: string | null,
    nameKeys: readonly string[],
    manager: EntityManager,
  ): Promise<Folder[]> {
    return manager.query(
      `SELECT ${COLUMNS} FROM folders f
        WHERE client_id = $1 AND ${liveFolder('f')} AND name_key = ANY($2) AND parent_id ${parentId === null ? 'IS NULL' : '= $3'}`,
      parentId === null ? [clientId, nameKeys] : [clientId, nameKeys, parentId],
    );
  }

  /** Whether the client has this many folders, including those in the trash. */
  async hasAtLeast({ clientId }: InClient, count: number, manager: EntityManager): Promise<boolean> {
    const rows = await manager.query<unknown[]>(
      'SELECT 1 FROM folders WHERE client_id = $1 OFFSET $2 LIMIT 1',
      [clientId, count - 1],
    );
    return rows.length === 1;
  }

  /** The number of assets directly in each folder; null is the top level. Assets that were trashed individually do not count. */
  async countAssets(
    { clientId, actor }: ClientScope,
    queries: Queries = this.database.manager,
  ): Promise<Map<string | null, number>> {
    const count = queries.query.bind(queries)<{ folder_id: string | null; assets: number }[]>;
    const rows = await (actor.surfaces === null
      ? count(
          `SELECT folder_id, assets FROM asset_counts WHERE client_id = $1 AND tag = ''`,
          [clientId],
          'count-assets-by-folder',
        )
      : count(
          `SELECT folder_id, count(*)::int AS assets FROM assets
            WHERE client_id = $1 AND ${liveInItsFolder()} AND ${allowedOn('$2')} GROUP BY folder_id`,
          [clientId, actor.surfaces],
          'count-assets-by-folder-on-surfaces',
        ));
    return new Map(rows.map((row) => [row.folder_id, row.assets]));
  }

  /** Whether any live asset in these folders is allowed on none of the surfaces of the caller's key. */
  async holdsAssetsOfOthers(
    { clientId, actor }: ClientScope,
    folderIds: readonly string[],
    manager: EntityManager,
  ): Promise<boolean> {
    if (actor.surfaces === null) return false;
    const rows = await manager.query<unknown[]>(
      `SELECT 1 FROM assets WHERE client_id = $1 AND folder_id = ANY($2::uuid[]) AND ${liveInItsFolder()}
          AND cardinality(allowed_surfaces) > 0 AND NOT allowed_surfaces && $3::text[] LIMIT 1`,
      [clientId, folderIds, actor.surfaces],
    );
    return rows.length === 1;
  }

  async insert(folder: NewFolder, manager: EntityManager): Promise<void> {
    await manager.insert(Folder, folder);
  }

  /** Creates `Social` and `Social/Posted` for a new client. */
  async insertSystemFolders({ clientId }: InClient, manager: EntityManager): Promise<void> {
    const ids = new Map<SystemFolder, string>();
    for (const { key, name, parent } of SYSTEM_FOLDERS) {
      const id = newId();
      ids.set(key, id);
      const parentId = parent === null ? null : ids.get(parent)!;
      await this.insert({ id, clientId, parentId, name, nameKey: nameKeyOf(name), systemKey: key }, manager);
    }
  }

  async update(
    { clientId }: InClient,
    id: string,
    change: Partial<NewFolder>,
    manager: EntityManager,
  ): Promise<void> {
    await manager.update(Folder, { clientId, id }, change);
  }

  /** Every client has each of them. */
  async getSystemFolder(
    { clientId }: InClient,
    systemKey: SystemFolder,
    manager: EntityManager,
  ): Promise<Folder> {
    return manager.findOneByOrFail(Folder, { clientId, systemKey });
  }

  findById({ clientId }: InClient, id: string, manager: EntityManager): Promise<Folder | null> {
    return manager.findOneBy(Folder, { clientId, id, batchId: IsNull() });
  }
}
