import { Injectable } from '@nestjs/common';
import type { InClient } from '../access/principal.js';
import { type Page, toPage } from '../common/paging/page.js';
import type { Asset } from '../database/entities/asset.entity.js';
import type { Queries } from '../database/queries.js';
import {
  type AssetFilter,
  countStatement,
  creatorsStatement,
  ALL_TAGS,
  hasFilters,
  isManyFolders,
  keptCountStatement,
  type ManyFolders,
  matchesStatement,
  mergeStatement,
  onlyTag,
  pageStatement,
  type Place,
  positionAfter,
  type Statement,
  trashedCountStatement,
  filledFoldersStatement,
  walkStatement,
} from './asset-listing.statements.js';
import type { Creator } from './creators.rules.js';
import { type AssetRow, toAsset } from './asset-rows.js';

export type { Place } from './asset-listing.statements.js';

interface Total {
  readonly total: number;
  /** False means that there are more. */
  readonly totalIsExact: boolean;
}

export type AssetPage = Page<Asset> & Total;

/** All null except the total if there is no asset. */
type CountedRow = AssetRow & { readonly total: number };

/** `seen`: the number of assets read up to this one. */
type WalkedRow = AssetRow & { readonly seen: string };

/** Totals are counted up to this number. */
const COUNTED = 10_000;

const MAX_CREATORS = 500;

const MANY: Total = { total: COUNTED, totalIsExact: false };

/** How many assets a scan may read for each one on the page before it switches to the indexes of the filters. */
const WALKED_PER_ASSET = 50;
const MIN_WALKED = 2_000;

/** How many index entries, including those of other folders, a scan may pass: a million take less than half a second. */
const MAX_PASSED = { filtered: 1_000_000, unfiltered: 100_000 };

/** From this share of matches, counting in order reaches `COUNTED` faster than the indexes of the filters do. */
const DENSE = 0.1;

/**
 * Lists assets with keyset pagination: a deep page costs as much as the first one.
 *
 * No single plan suits every filter. If many assets match, it is fastest to scan them in order until the page is full; if few match, to find
 * them with the indexes of the filters and sort them. Postgres would have to guess how many match. Therefore a bounded scan runs first, and the
 * indexes are used if it does not fill the page.
 *
 * Assets in trashed folders stay in the indexes until they are purged. If there are many, the live folders are listed instead of excluding the
 * trashed ones, so that the cost depends on what is live.
 */
@Injectable()
export class AssetListingRepository {
  async findPage(
    { clientId }: InClient,
    wanted: Place,
    query: AssetFilter,
    queries: Queries,
  ): Promise<AssetPage> {
    const place = await this.withoutLargeTrash(queries, clientId, wanted);
    if (!isManyFolders(place) && !hasFilters(query)) {
      const rows = await select<CountedRow>(queries, pageStatement(clientId, place, query));
      const total = rows[0]?.total ?? (await this.countKept(queries, clientId, place, ALL_TAGS));
      return toAssetPage(rows, query, exactly(total));
    }
    const size = await this.countKept(queries, clientId, place, ALL_TAGS);
    const isLarge = size > COUNTED;
    if (isManyFolders(place) && isLarge && !hasFilters(query) && !query.offset)
      return toAssetPage(await this.findUnfiltered(queries, clientId, place, query), query, exactly(size));
    if (isLarge && !query.offset) {
      const bound = Math.max(MIN_WALKED, query.limit * WALKED_PER_ASSET);
      const walk = walkStatement(clientId, place, query, bound, MAX_PASSED.filtered);
      const rows = await select<WalkedRow>(queries, walk);
      if (rows.length > query.limit) {
        const density = rows.length / Number(rows.at(-1)!.seen);
        return toAssetPage(rows, query, await this.countMatches(queries, clientId, place, query, density));
      }
    }
    const matches = matchesStatement(clientId, place, query, isLarge ? 'large' : 'small');
    return toCountedPage(await select<CountedRow>(queries, matches), query);
  }

  /** Who created live assets. */
  findCreators({ clientId }: InClient, queries: Queries): Promise<Creator[]> {
    return select(queries, creatorsStatement(clientId, MAX_CREATORS));
  }

  /** Where to look for all live assets of a client, and their number. */
  async findLive({ clientId }: InClient, queries: Queries): Promise<{ place: Place; size: number }> {
    const place = await this.withoutLargeTrash(queries, clientId, 'everywhere');
    return { place, size: await this.countKept(queries, clientId, place, ALL_TAGS) };
  }

  private async withoutLargeTrash(queries: Queries, clientId: string, place: Place): Promise<Place> {
    if (place !== 'everywhere') return place;
    if ((await countOf(queries, trashedCountStatement(clientId))) <= COUNTED) return place;
    const rows = await select<{ folder_id: string }>(queries, filledFoldersStatement(clientId));
    return { folderIds: rows.map((row) => row.folder_id), withTopLevel: true };
  }

  private async findUnfiltered(
    queries: Queries,
    clientId: string,
    place: ManyFolders,
    query: AssetFilter,
  ): Promise<AssetRow[]> {
    const walk = walkStatement(clientId, place, query, query.limit + 1, MAX_PASSED.unfiltered);
    const rows = await select<AssetRow>(queries, walk);
    return rows.length > query.limit ? rows : select(queries, mergeStatement(clientId, place, query));
  }

  private async countMatches(
    queries: Queries,
    clientId: string,
    place: Place,
    query: AssetFilter,
    density: number,
  ): Promise<Total> {
    const tag = onlyTag(query);
    if (tag !== null) return exactly(await this.countKept(queries, clientId, place, tag));
    if (density >= DENSE) {
      // The first assets of the list may not be typical of the rest.
      const bound = Math.ceil((COUNTED / density) * 2);
      const statement = countStatement(clientId, place, query, COUNTED + 1, bound);
      if ((await countOf(queries, statement)) > COUNTED) return MANY;
    }
    const count = await countOf(queries, countStatement(clientId, place, query, COUNTED + 1));
    return count > COUNTED ? MANY : exactly(count);
  }

  /** From the maintained counts: all live assets, or those with a tag. */
  private countKept(queries: Queries, clientId: string, place: Place, tag: string): Promise<number> {
    return countOf(queries, keptCountStatement(clientId, place, tag));
  }
}

function select<Row>(queries: Queries, { sql, values, name }: Statement): Promise<Row[]> {
  return queries.query<Row[]>(sql, values, name);
}

async function countOf(queries: Queries, statement: Statement): Promise<number> {
  const [row] = await select<{ count: number }>(queries, statement);
  return row!.count;
}

function exactly(total: number): Total {
  return { total, totalIsExact: true };
}

function toCountedPage(rows: CountedRow[], query: AssetFilter): AssetPage {
  const found = rows.filter(({ id }) => id !== null);
  return toAssetPage(found, query, exactly(rows[0]!.total));
}

function toAssetPage(rows: AssetRow[], query: AssetFilter, total: Total): AssetPage {
  return { ...toPage(rows.map(toAsset), query.limit, (asset) => positionAfter(query.sort, asset)), ...total };
}
