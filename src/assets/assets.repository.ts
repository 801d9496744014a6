import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from 'typeorm';
import type { ClientScope, InClient } from '../access/principal.js';
import { firstIdAt } from '../common/ids.js';
import { ROWS_AT_ONCE, slicesOf } from '../common/slices.js';
import { Turns } from '../common/turns.js';
import { allowedOn } from '../database/allowed-on.js';
import { Database } from '../database/database.js';
import { columnOf, columnsOf, typeOf } from '../database/columns.js';
import { Asset } from '../database/entities/asset.entity.js';
import type { Queries } from '../database/queries.js';
import { liveAsset, TRASHED_FOLDERS } from '../database/live.js';
import { assetFitness, fitForOf } from '../fitness/fitness.rules.js';
import { RULES_VERSION } from '../fitness/publishing-limits.js';
import { type AssetRow, toAsset } from './asset-rows.js';
import { searchTextOf } from './search.rules.js';

export type NewAsset = Omit<
  Asset,
  'version' | 'createdAt' | 'updatedAt' | 'searchText' | 'batchId' | 'focalPoint' | 'fitness' | 'usages'
> &
  // By default, it is live and created now.
  Partial<Pick<Asset, 'batchId' | 'createdAt'>>;

/** The fields that people can change. */
export type AssetChange = Partial<
  Pick<Asset, 'title' | 'description' | 'altText' | 'tags' | 'allowedSurfaces' | 'folderId' | 'focalPoint'>
>;

const COLUMNS = columnsOf(Asset);

const BY_ID = {
  name: 'find-asset',
  text: `SELECT ${COLUMNS} FROM assets WHERE client_id = $1 AND id = $2 AND ${liveAsset()}`,
};

const BY_IDS = `FROM assets WHERE client_id = $1 AND id = ANY($2::uuid[]) AND ${liveAsset()}`;

const RECENT_MS = 10 * 60_000;

/** `searchText` is absent if no text has changed. */
type ChangedRow = AssetChange & { readonly id: string; readonly searchText?: string };

const TEXTS = ['title', 'description', 'altText', 'tags'] as const;

function changedRow(asset: Asset, change: AssetChange): ChangedRow {
  const isNew = (field: (typeof TEXTS)[number]) =>
    change[field] !== undefined && !isDeepStrictEqual(change[field], asset[field]);
  const searchText = TEXTS.some(isNew) ? { searchText: searchTextOf({ ...asset, ...change }) } : {};
  return { id: asset.id, ...change, ...searchText };
}

/** Assets whose texts did not change keep their searchable text. */
function valueOf(field: string): string {
  return field === 'searchText' ? `coalesce(c."${field}", assets.search_text)` : `c."${field}"`;
}

/** The fields that at least one of the rows contains. */
function fieldsOf(rows: readonly ChangedRow[]): string[] {
  const given = rows.flatMap(({ id: _id, ...row }) =>
    Object.entries(row).flatMap(([field, value]) => (value === undefined ? [] : [field])),
  );
  return [...new Set(given)];
}

/** Live assets only: assets in the trash appear not to exist. */
@Injectable()
export class AssetsRepository {
  constructor(private readonly database: Database) {}

  async findById(scope: InClient, id: string, manager?: EntityManager): Promise<Asset | null> {
    const values = [scope.clientId, id];
    const rows = manager
      ? await manager.query<AssetRow[]>(BY_ID.text, values)
      : await this.database.find<AssetRow>(BY_ID, values);
    return rows[0] ? toAsset(rows[0]) : null;
  }

  /** In no particular order. Unknown ids are omitted. */
  async findMany(
    { clientId }: InClient,
    ids: readonly string[],
    queries: Queries = this.database.manager,
  ): Promise<Asset[]> {
    const rows = await queries.query<AssetRow[]>(
      `SELECT ${COLUMNS} ${BY_IDS}`,
      [clientId, ids],
      'find-assets',
    );
    return rows.map(toAsset);
  }

  /**
   * Ordered by id, so that two transactions that lock the same assets wait for each other instead of deadlocking. The caller must take the
   * folder lock first: then nobody can trash the folder of a locked asset.
   */
  async lock(scope: ClientScope, ids: readonly string[], manager: EntityManager): Promise<Asset[]> {
    const assets: Asset[] = [];
    for (const some of slicesOf([...ids].sort(), ROWS_AT_ONCE)) {
      const rows = await manager.query<AssetRow[]>(`SELECT ${COLUMNS} ${BY_IDS} ORDER BY id FOR UPDATE`, [
        scope.clientId,
        some,
      ]);
      assets.push(...rows.map(toAsset));
    }
    return assets;
  }

  /**
   * What a new asset records about others with the same bytes: the oldest live one, and whether there are any, even in the trash. Until the
   * transaction ends, nobody else can look for them.
   */
  async findDuplicate(
    { clientId }: InClient,
    sha256: string,
    manager: EntityManager,
  ): Promise<Pick<Asset, 'duplicateOf' | 'isCopy'>> {
    await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('copies:' || $1 || $2, 0))`, [
      `${clientId}:`,
      sha256,
    ]);
    const [found] = await manager.query<[Pick<Asset, 'duplicateOf' | 'isCopy'>]>(
      `SELECT EXISTS (SELECT FROM assets WHERE client_id = $1 AND sha256 = $2) AS "isCopy",
         (SELECT id FROM assets WHERE client_id = $1 AND sha256 = $2 AND ${liveAsset()} ORDER BY id LIMIT 1) AS "duplicateOf"`,
      [clientId, sha256],
    );
    return found;
  }

  /** For each file among the assets, the oldest live asset with the same bytes that is not one of them. */
  async findOtherCopies(
    { clientId }: InClient,
    ids: readonly string[],
    manager: EntityManager,
  ): Promise<string[]> {
    const rows = await manager.query<{ id: string }[]>(
      `SELECT DISTINCT other.id FROM assets AS given CROSS JOIN LATERAL (
           SELECT id FROM assets WHERE client_id = $1 AND sha256 = given.sha256 AND ${liveAsset()} AND id <> ALL($2::uuid[])
            ORDER BY id LIMIT 1) AS other
        WHERE given.client_id = $1 AND given.id = ANY($2::uuid[])`,
      [clientId, ids],
    );
    return rows.map(({ id }) => id);
  }

  async insert(asset: NewAsset, manager: EntityManager): Promise<Asset> {
    const fitness = assetFitness(asset);
    const stored = {
      fitFor: fitForOf(fitness),
      fitnessRules: RULES_VERSION,
      searchText: searchTextOf(asset),
    };
    const { isCopy, ...given } = asset;
    const row = { batchId: null, focalPoint: null, ...given, fitness };
    const { generatedMaps } = await manager.insert(Asset, { ...row, ...stored, isCopy });
    return { ...row, ...generatedMaps[0] } as Asset;
  }

  /** Applies the change, of the same fields for each, to assets that the caller has locked. Each gets a new version. */
  async update(
    { clientId }: InClient,
    assets: readonly Asset[],
    changeOf: (asset: Asset) => AssetChange,
    manager: EntityManager,
  ): Promise<void> {
    const turns = new Turns();
    for (const some of slicesOf(assets, ROWS_AT_ONCE)) {
      const rows: ChangedRow[] = [];
      for (const asset of some) {
        rows.push(changedRow(asset, changeOf(asset)));
        await turns.yield();
      }
      const changed = fieldsOf(rows);
      await manager.query(
        `UPDATE assets SET ${changed.map((field) => `${columnOf(field)} = ${valueOf(field)}, `).join('')}
            version = version + 1, updated_at = now()
           FROM jsonb_to_recordset($1::jsonb) AS c(id uuid${changed.map((field) => `, "${field}" ${typeOf(Asset, field)}`).join('')})
          WHERE assets.client_id = $2 AND assets.id = c.id`,
        [JSON.stringify(rows), clientId],
      );
    }
  }

  /** Sets the placeholder if there is none. Not an edit, so the version does not change and concurrent edits do not fail. */
  async fillPlaceholder(
    { clientId, id }: Pick<Asset, 'clientId' | 'id'>,
    placeholder: string,
  ): Promise<void> {
    await this.database.manager.query(
      'UPDATE assets SET placeholder = $3 WHERE client_id = $1 AND id = $2 AND placeholder IS NULL',
      [clientId, id, placeholder],
    );
  }

  /** Whether the asset still has a row, in the trash or not. Locks it until the transaction ends. */
  async keepRow({ clientId }: InClient, id: string, manager: EntityManager): Promise<boolean> {
    const rows = await manager.query<unknown[]>(
      'SELECT 1 FROM assets WHERE client_id = $1 AND id = $2 FOR KEY SHARE',
      [clientId, id],
    );
    return rows.length === 1;
  }

  /** The number of assets that the client created in the last minutes, up to a thousand. Their ids are ordered by time. */
  async countRecent({ clientId }: InClient, manager: EntityManager): Promise<number> {
    const [row] = await manager.query<{ count: number }[]>(
      `SELECT count(*)::int FROM (SELECT FROM assets WHERE client_id = $1 AND id > $2 LIMIT 1000) AS recent`,
      [clientId, firstIdAt(Date.now() - RECENT_MS)],
    );
    return row!.count;
  }

  /** From the maintained counts. Tags in trashed folders are excluded. */
  countTags({ clientId, actor }: ClientScope, queries: Queries): Promise<{ tag: string; assets: number }[]> {
    if (actor.surfaces !== null)
      return queries.query(
        `SELECT tag, count(*)::int AS assets FROM assets CROSS JOIN unnest(tags) AS tag
          WHERE client_id = $1 AND ${liveAsset()} AND ${allowedOn('$2')}
          GROUP BY tag ORDER BY assets DESC, tag`,
        [clientId, actor.surfaces],
        'count-tags-on-surfaces',
      );
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
