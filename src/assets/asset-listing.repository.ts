import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ClientScope } from '../auth/principal.js';
import { type Page, toPage } from '../common/paging/page.js';
import type { Asset } from '../database/entities/asset.entity.js';
import type { AssetListQuery } from './asset-list.query.js';
import {
  countStatement,
  ALL_TAGS,
  hasFilters,
  isManyFolders,
  keptCountStatement,
  matchesStatement,
  mergeStatement,
  onlyTag,
  type Place,
  type Position,
  type Statement,
  trashedCountStatement,
  usedFoldersStatement,
  walkCountStatement,
  walkStatement,
} from './asset-listing.statements.js';
import { type AssetRow, toAsset } from './asset-rows.js';

export type { Place } from './asset-listing.statements.js';

interface Total {
  readonly total: number;
  /** False: there are more. */
  readonly totalIsExact: boolean;
}

export type AssetPage = Page<Asset> & Total;

/** Totals are counted up to here. */
export const COUNTED = 10_000;

const MANY: Total = { total: COUNTED, totalIsExact: false };

/** How many assets a walk may look at for each one on the page, before the indexes of the filters are asked instead. */
const WALKED_PER_ASSET = 50;
const MIN_WALKED = 2_000;

/** How many index entries, those of other folders included, a walk may pass: a million take less than half a second. */
const MAX_PASSED = { filtered: 1_000_000, unfiltered: 100_000 };

/** From this share of matches on, counting in order reaches `COUNTED` sooner than the indexes of the filters do. */
const DENSE = 0.1;

/**
 * Lists assets by keyset: a deep page costs as much as the first.
 *
 * No single plan serves every filter. Where many assets match, it is fastest to walk through them in order until the page is
 * full; where few match, to find them by the filters' indexes and sort them. Postgres would have to guess how many there are.
 * So a bounded walk comes first, and the indexes take over when it does not fill the page.
 *
 * Assets in trashed folders stay in the indexes until the purge. When there are many, the live folders are named instead of
 * leaving out the trashed ones: then the cost depends on what is live.
 */
@Injectable()
export class AssetListingRepository {
  async findPage(
    manager: EntityManager,
    { clientId }: Pick<ClientScope, 'clientId'>,
    wanted: Place,
    query: AssetListQuery,
  ): Promise<AssetPage> {
    const place = await this.withoutLargeTrash(manager, clientId, wanted);
    const size = await this.countKept(manager, clientId, place, ALL_TAGS);
    const isLarge = size > COUNTED;
    if (!hasFilters(query) && (isLarge || !isManyFolders(place)))
      return toAssetPage(await this.findUnfiltered(manager, clientId, place, query), query, exactly(size));
    if (isLarge) {
      const bound = Math.max(MIN_WALKED, query.limit * WALKED_PER_ASSET);
      const rows = await this.walk(manager, clientId, place, query, bound, MAX_PASSED.filtered);
      if (rows.length > query.limit) {
        const density = rows.length / Number(rows.at(-1)!['seen']);
        return toAssetPage(rows, query, await this.countMatches(manager, clientId, place, query, density));
      }
    }
    const rows = await select(manager, matchesStatement(clientId, place, query, isLarge ? 'large' : 'small'));
    const found = rows.filter((row) => row['id'] !== null);
    return toAssetPage(found, query, exactly(rows[0]!['total'] as number));
  }

  private async withoutLargeTrash(manager: EntityManager, clientId: string, place: Place): Promise<Place> {
    if (place !== 'everywhere') return place;
    if ((await countOf(manager, trashedCountStatement(clientId))) <= COUNTED) return place;
    const rows = await select(manager, usedFoldersStatement(clientId));
    return { folderIds: rows.map((row) => row['folder_id'] as string), withTopLevel: true };
  }

  private async findUnfiltered(
    manager: EntityManager,
    clientId: string,
    place: Place,
    query: AssetListQuery,
  ): Promise<AssetRow[]> {
    const rows = await this.walk(manager, clientId, place, query, query.limit + 1, MAX_PASSED.unfiltered);
    if (!isManyFolders(place) || rows.length > query.limit) return rows;
    return select(manager, mergeStatement(clientId, place, query));
  }

  private walk(
    manager: EntityManager,
    clientId: string,
    place: Place,
    query: AssetListQuery,
    bound: number,
    maxPassed: number,
  ): Promise<AssetRow[]> {
    const walk = walkStatement(clientId, place, query, bound, maxPassed);
    // Postgres may prefer to sort when as many as `maxPassed` could be read.
    return isManyFolders(place)
      ? without(manager, ['seqscan', 'bitmapscan', 'sort'], () => select(manager, walk))
      : select(manager, walk);
  }

  private async countMatches(
    manager: EntityManager,
    clientId: string,
    place: Place,
    query: AssetListQuery,
    density: number,
  ): Promise<Total> {
    const tag = onlyTag(query);
    if (tag !== null) return exactly(await this.countKept(manager, clientId, place, tag));
    if (density >= DENSE) {
      // The first of the list need not be typical of the rest.
      const bound = Math.ceil((COUNTED / density) * 2);
      const statement = walkCountStatement(clientId, place, query, bound, COUNTED + 1);
      if ((await countOf(manager, statement)) > COUNTED) return MANY;
    }
    // With a LIMIT, Postgres may think that scanning in any order finds enough rows soon, and read the whole table when it does not.
    const count = await without(manager, ['seqscan', 'indexscan', 'indexonlyscan'], () =>
      countOf(manager, countStatement(clientId, place, query, COUNTED + 1)),
    );
    return count > COUNTED ? MANY : exactly(count);
  }

  /** From the counts that are kept: of all live assets, or of those with a tag. */
  private countKept(manager: EntityManager, clientId: string, place: Place, tag: string): Promise<number> {
    return countOf(manager, keptCountStatement(clientId, place, tag));
  }
}

async function select(manager: EntityManager, { sql, values }: Statement): Promise<AssetRow[]> {
  return manager.query<AssetRow[]>(sql, values);
}

async function countOf(manager: EntityManager, { sql, values }: Statement): Promise<number> {
  const [row] = await manager.query<{ count: number }[]>(sql, values);
  return row!.count;
}

/** Does the work while Postgres avoids these kinds of plan nodes. */
async function without<T>(manager: EntityManager, nodes: string[], work: () => Promise<T>): Promise<T> {
  await manager.query(['BEGIN', ...nodes.map((node) => `SET LOCAL enable_${node} = off`)].join('; '));
  try {
    return await work();
  } finally {
    await manager.query('ROLLBACK');
  }
}

function exactly(total: number): Total {
  return { total, totalIsExact: true };
}

function toAssetPage(rows: AssetRow[], query: AssetListQuery, total: Total): AssetPage {
  const page = toPage(rows, query.limit, (row): Position => [
    query.sort,
    row['sort_key'] as string,
    row['id'] as string,
  ]);
  return { items: page.items.map(toAsset), nextCursor: page.nextCursor, ...total };
}
