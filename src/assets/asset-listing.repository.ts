import { Injectable } from '@nestjs/common';
import type { ClientScope } from '../auth/principal.js';
import { decodeCursor, isText, isTimeText, isUuidText, type Page, toPage } from '../common/paging/page.js';
import { Database } from '../database/database.js';
import type { Asset } from '../database/entities/asset.entity.js';
import type { AssetListQuery, AssetSort } from './asset-list.query.js';
import { ASSET_COLUMNS, type AssetRow, liveAsset, toAsset } from './asset-rows.js';
import { searchTerms } from './search.rules.js';

/** Where assets are looked for. */
export type Place = { folderId: string | null } | { folderIds: readonly string[] } | 'everywhere';

type Position = [sort: AssetSort, key: string, id: string];

/** A query's text and its parameters. */
export interface Statement {
  readonly sql: string;
  readonly values: unknown[];
}

/** Each sort is served by an index on (client, folder, key, id). */
const SORT_KEYS: Record<AssetSort, { expression: string; type: string; direction: 'ASC' | 'DESC' }> = {
  newest: { expression: 'created_at', type: 'timestamptz', direction: 'DESC' },
  oldest: { expression: 'created_at', type: 'timestamptz', direction: 'ASC' },
  title: { expression: 'lower(title)', type: 'text', direction: 'ASC' },
  size: { expression: 'size_bytes', type: 'bigint', direction: 'DESC' },
};

/** Shorter words have no trigrams; they are found at the beginning of words only. */
const MIN_TRIGRAM_LENGTH = 3;

/** Scripts that are written without spaces, and pictographs: what is looked for may stand anywhere, however short. */
const WITHOUT_SPACES = /[\p{Lo}\p{So}]/u;

/** Lists assets by keyset: a deep page costs as much as the first. */
@Injectable()
export class AssetListingRepository {
  constructor(private readonly database: Database) {}

  async findPage(scope: ClientScope, place: Place, query: AssetListQuery): Promise<Page<Asset>> {
    const { sql, values } = pageStatement(scope.clientId, place, query);
    const rows = await this.database.manager.query<AssetRow[]>(sql, values);
    const page = toPage(rows, query.limit, (row): Position => [
      query.sort,
      row['sort_key'] as string,
      row['id'] as string,
    ]);
    return { items: page.items.map(toAsset), nextCursor: page.nextCursor };
  }

  async count(scope: ClientScope, place: Place, query: AssetListQuery): Promise<number> {
    const { sql, values } = countStatement(scope.clientId, place, query);
    const [row] = await this.database.manager.query<{ count: string }[]>(sql, values);
    return Number(row!.count);
  }
}

export function pageStatement(clientId: string, place: Place, query: AssetListQuery): Statement {
  const { sql, values } = conditions(clientId, place, query);
  const { expression, type, direction } = SORT_KEYS[query.sort];
  const position = decodeCursor(query.cursor, isPositionOf(query.sort));
  let after = '';
  if (position !== null) {
    values.push(position[1], position[2]);
    const comparison = direction === 'DESC' ? '<' : '>';
    after = `AND (${expression}, id) ${comparison} ($${values.length - 1}::${type}, $${values.length}::uuid)`;
  }
  values.push(query.limit + 1);
  // The folder leads the order too, or Postgres would not see that the index is in order where the folder is null.
  const folderFirst = isOneFolder(place) ? `folder_id ${direction}, ` : '';
  return {
    sql: `SELECT ${ASSET_COLUMNS}, ${expression} AS sort_key FROM assets WHERE ${sql} ${after}
        ORDER BY ${folderFirst}${expression} ${direction}, id ${direction} LIMIT $${values.length}`,
    values,
  };
}

export function countStatement(clientId: string, place: Place, query: AssetListQuery): Statement {
  const { sql, values } = conditions(clientId, place, query);
  return { sql: `SELECT count(*) FROM assets WHERE ${sql}`, values };
}

function isOneFolder(place: Place): boolean {
  return place !== 'everywhere' && 'folderId' in place;
}

function conditions(clientId: string, place: Place, query: AssetListQuery): Statement {
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  // Listed folders are live; elsewhere an asset may lie in a trashed one.
  const live = place === 'everywhere' ? liveAsset() : 'batch_id IS NULL';
  const parts = [`client_id = ${parameter(clientId)}`, live];
  if (place !== 'everywhere') {
    if ('folderIds' in place) parts.push(`folder_id = ANY(${parameter(place.folderIds)}::uuid[])`);
    else
      parts.push(
        place.folderId === null ? 'folder_id IS NULL' : `folder_id = ${parameter(place.folderId)}::uuid`,
      );
  }
  if (query.tags?.length) parts.push(`tags @> ${parameter(query.tags)}::text[]`);
  if (query.surface)
    parts.push(`(allowed_surfaces = '{}' OR ${parameter(query.surface)} = ANY(allowed_surfaces))`);
  if (query.mimeType) parts.push(`mime_type = ${parameter(query.mimeType)}`);
  for (const term of searchTerms(query.q ?? '')) parts.push(termCondition(term, parameter));
  return { sql: parts.join(' AND '), values };
}

/** Letters, digits and pictographs only: nothing in a term is special to LIKE or to a tsquery. */
function termCondition(term: string, parameter: (value: unknown) => string): string {
  const asWord = () => `search @@ (${parameter(`'${term}':*`)}::tsquery)`;
  const asPart = () => `search_text LIKE ${parameter(`%${term}%`)}`;
  if (WITHOUT_SPACES.test(term)) return asPart();
  return [...term].length < MIN_TRIGRAM_LENGTH ? asWord() : `(${asWord()} OR ${asPart()})`;
}

function isPositionOf(sort: AssetSort) {
  return (value: unknown): value is Position => {
    if (!Array.isArray(value) || value.length !== 3 || value[0] !== sort || !isUuidText(value[2]))
      return false;
    const key: unknown = value[1];
    if (sort === 'title') return isText(key);
    if (sort === 'size') return isText(key) && /^\d{1,15}$/.test(key);
    return isTimeText(key);
  };
}
