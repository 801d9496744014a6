import { decodeCursor, isText, isTimeText, isUuidText } from '../common/paging/page.js';
import type { AssetListQuery, AssetSort } from './asset-list.query.js';
import { surfaceOf } from '../fitness/fitness.rules.js';
import { ASSET_RECORD, TRASHED_FOLDERS } from './asset-rows.js';
import { searchTerms } from './search.rules.js';

/** Where to look for assets. Folders must be live; `everywhere` leaves out what lies in trashed ones. */
export type Place = { folderId: string | null } | ManyFolders | 'everywhere';

export interface ManyFolders {
  readonly folderIds: readonly string[];
  readonly withTopLevel?: boolean;
}

export type Position = [sort: AssetSort, field: string, id: string];

/** A query's text and its parameters. With a name, it is planned once per connection. */
export interface Statement {
  readonly sql: string;
  readonly values: unknown[];
  readonly name?: string;
}

interface SortKey {
  readonly expression: string;
  readonly direction: 'ASC' | 'DESC';
  /** The field of the record that the key follows from; a cursor holds it. */
  readonly field: string;
  readonly fromField: (parameter: string) => string;
}

const byTime = (direction: 'ASC' | 'DESC'): SortKey => ({
  expression: 'created_at',
  direction,
  field: 'createdAt',
  fromField: (time) => `${time}::timestamptz`,
});

/** Each sort has an index on (client, folder, key, id) and one on (client, key, id). */
const SORT_KEYS: Record<AssetSort, SortKey> = {
  newest: byTime('DESC'),
  oldest: byTime('ASC'),
  title: {
    expression: 'lower(title)',
    direction: 'ASC',
    field: 'title',
    fromField: (title) => `lower(${title}::text)`,
  },
  size: {
    expression: 'size_bytes',
    direction: 'DESC',
    field: 'sizeBytes',
    fromField: (size) => `${size}::bigint`,
  },
};

/** Where the list goes on after an asset. */
export function positionAfter(sort: AssetSort, id: string, record: string): Position {
  return [sort, String((JSON.parse(record) as Record<string, unknown>)[SORT_KEYS[sort].field]), id];
}

/** Shorter words have no trigrams; they are found at the beginning of words only. */
const MIN_TRIGRAM_LENGTH = 3;

/** Scripts that are written without spaces, and pictographs: a term may stand anywhere, however short. */
const WITHOUT_SPACES = /[\p{Lo}\p{So}]/u;

/** Characters that `assets_search_characters` leaves out: Latin, Greek, Cyrillic and Armenian. */
const SPACED_SCRIPTS = String.raw`\u0001-\u058f`;

/** The next page of one folder, unfiltered; each row says how many assets the folder has. */
export function folderPageStatement(
  clientId: string,
  place: { folderId: string | null },
  query: AssetListQuery,
): Statement {
  const build = new StatementBuilder(clientId);
  const { expression, direction } = SORT_KEYS[query.sort];
  const inFolder = build.place(place);
  const limit = build.parameter(query.limit + 1);
  const where = place.folderId === null ? 'top' : 'folder';
  const page = query.offset ? 'skipped' : query.cursor === undefined ? 'first' : 'next';
  const total = `(SELECT coalesce(sum(assets), 0)::int FROM asset_counts WHERE client_id = $1 AND tag = '' AND ${inFolder}) AS total`;
  const order = orderOf(place, expression, direction);
  // Of the assets that are skipped only the index is read.
  const sql = query.offset
    ? `SELECT id, ${ASSET_RECORD} AS record, ${total} FROM (
         SELECT id AS page_id, ${expression} AS sort_key FROM assets WHERE ${build.live()} AND ${inFolder}
          ORDER BY ${order} OFFSET ${build.parameter(query.offset)} LIMIT ${limit}) AS page
         CROSS JOIN LATERAL (SELECT * FROM assets WHERE id = page_id OFFSET 0) AS asset
        ORDER BY sort_key ${direction}, page_id ${direction}`
    : `SELECT id, ${ASSET_RECORD} AS record, ${total}
         FROM assets WHERE ${build.live()} AND ${inFolder} ${build.after(query)} ORDER BY ${order} LIMIT ${limit}`;
  return { ...build.statement(sql), name: `list-${where}-${query.sort}-${page}` };
}

/**
 * Reads the next `bound` assets in order and keeps those that match. The inner LIMIT keeps the planner from any other way.
 * `offset` skips assets before they are filtered: it is for lists without filters. `seen` is the number of assets read up to this one. Of many folders, the walk ends after `maxPassed` index entries, those of
 * other folders included.
 */
export function walkStatement(
  clientId: string,
  place: Place,
  query: AssetListQuery,
  bound: number,
  maxPassed = bound,
): Statement {
  const build = new StatementBuilder(clientId);
  const { expression, direction } = SORT_KEYS[query.sort];
  const order = orderOf(place, expression, direction);
  const filters = build.filters(query);
  const limit = build.parameter(query.limit + 1);
  if (isOneFolder(place)) {
    const within = `${build.live()} AND ${build.place(place)} ${build.after(query)}`;
    return build.statement(
      `SELECT id, ${ASSET_RECORD} AS record, seen FROM (
         SELECT *, ${expression} AS sort_key, row_number() OVER (ORDER BY ${order}) AS seen
           FROM assets WHERE ${within} ORDER BY ${order} LIMIT ${build.parameter(bound)}) AS asset ${where(filters)}
        ORDER BY ${orderOf(place, 'sort_key', direction)} LIMIT ${limit}`,
    );
  }
  // There may be many assets of other folders in between: only the index is read until it is known that the folder is right.
  const within = `${build.live()} ${build.after(query)}`;
  const entries = isManyFolders(place)
    ? `(SELECT id, folder_id, ${expression} AS sort_key FROM assets WHERE ${within}
         ORDER BY ${order} LIMIT ${build.parameter(Math.max(bound, maxPassed))}) AS entry WHERE ${build.place(place)}`
    : `(SELECT id, ${expression} AS sort_key FROM assets WHERE ${within} AND ${build.place(place)}) AS entry`;
  const keyOrder = orderOf(place, 'sort_key', direction);
  return build.statement(
    `SELECT id, ${ASSET_RECORD} AS record, seen FROM (
       SELECT id AS candidate_id, sort_key, row_number() OVER (ORDER BY ${keyOrder}) AS seen
         FROM ${entries} ORDER BY ${keyOrder} ${build.skip(query)} LIMIT ${build.parameter(bound)}) AS candidate
         CROSS JOIN LATERAL (SELECT * FROM assets WHERE id = candidate_id OFFSET 0) AS asset ${where(filters)}
      ORDER BY ${orderOf(place, 'sort_key', direction, 'candidate_id')} LIMIT ${limit}`,
  );
}

/** The next page of many folders, unfiltered: the first of each are merged. What else is in the library does not matter. */
export function mergeStatement(clientId: string, place: ManyFolders, query: AssetListQuery): Statement {
  const build = new StatementBuilder(clientId);
  const { expression, direction } = SORT_KEYS[query.sort];
  const limit = build.parameter(query.limit + 1);
  const firstIn = (condition: string) =>
    `SELECT id AS page_id, ${expression} AS sort_key FROM assets WHERE ${build.live()} AND ${condition} ${build.after(query)}
      ORDER BY folder_id ${direction}, ${expression} ${direction}, id ${direction} LIMIT ${limit}`;
  const inFolders = `SELECT asset.* FROM unnest(${build.parameter(place.folderIds)}::uuid[]) AS folder
    CROSS JOIN LATERAL (${firstIn('folder_id = folder')}) AS asset`;
  const all = place.withTopLevel ? `${inFolders} UNION ALL (${firstIn('folder_id IS NULL')})` : inFolders;
  const order = `sort_key ${direction}, page_id ${direction}`;
  return build.statement(
    `SELECT id, ${ASSET_RECORD} AS record FROM (SELECT * FROM (${all}) AS firsts ORDER BY ${order} LIMIT ${limit}) AS page
       JOIN assets ON id = page_id ORDER BY ${order}`,
  );
}

/** Finds every match by the indexes of the filters, then sorts them. One row at least, for the total. */
export function matchesStatement(
  clientId: string,
  place: Place,
  query: AssetListQuery,
  size: 'small' | 'large',
): Statement {
  const build = new StatementBuilder(clientId);
  const { expression, direction } = SORT_KEYS[query.sort];
  const filters = build.filters(query, size === 'large');
  const conditions = [build.live(), build.place(place), ...filters].join(' AND ');
  return build.statement(
    `WITH matches AS MATERIALIZED (SELECT id, ${expression} AS sort_key FROM assets WHERE ${conditions})
     SELECT id, ${ASSET_RECORD} AS record, total FROM (SELECT count(*)::int AS total FROM matches) AS counted
       LEFT JOIN (SELECT id AS page_id, sort_key FROM matches WHERE true ${build.after(query, 'sort_key')}
                   ORDER BY sort_key ${direction}, id ${direction} ${build.skip(query)} LIMIT ${build.parameter(query.limit + 1)}) AS page ON true
       LEFT JOIN assets ON id = page_id
      ORDER BY page.sort_key ${direction}, page_id ${direction}`,
  );
}

/** Counts matches among `bound` assets, up to `max`. Of many folders any will do; otherwise the first in order are at hand. */
export function walkCountStatement(
  clientId: string,
  place: Place,
  query: AssetListQuery,
  bound: number,
  max: number,
): Statement {
  const build = new StatementBuilder(clientId);
  const { expression, direction } = SORT_KEYS[query.sort];
  const candidates = `SELECT * FROM assets WHERE ${build.live()} AND ${build.place(place)}
      ${isManyFolders(place) ? '' : `ORDER BY ${orderOf(place, expression, direction)}`} LIMIT ${build.parameter(bound)}`;
  return build.statement(
    `SELECT count(*)::int AS count FROM (
       SELECT FROM (${candidates}) AS asset ${where(build.filters(query))} LIMIT ${build.parameter(max)}) AS counted`,
  );
}

/** Counts matches up to `max`. */
export function countStatement(
  clientId: string,
  place: Place,
  query: AssetListQuery,
  max: number,
): Statement {
  const build = new StatementBuilder(clientId);
  const conditions = [build.live(), build.place(place), ...build.filters(query, true)].join(' AND ');
  return build.statement(
    `SELECT count(*)::int AS count FROM (SELECT FROM assets WHERE ${conditions} LIMIT ${build.parameter(max)}) AS counted`,
  );
}

/** Counts used assets up to `max`. Each is looked up by its id: the assets that nobody uses do not matter. */
export function usedCountStatement(clientId: string, place: Place, max: number): Statement {
  const build = new StatementBuilder(clientId);
  return build.statement(
    `SELECT count(*)::int AS count FROM (
       SELECT FROM (SELECT DISTINCT asset_id FROM usages WHERE client_id = $1) AS usage
         CROSS JOIN LATERAL (SELECT * FROM assets WHERE id = asset_id OFFSET 0) AS asset
        WHERE ${build.live()} AND ${build.place(place)} LIMIT ${build.parameter(max)}) AS counted`,
  );
}

/** In `asset_counts`, stands for assets with any tag or none. */
export const ALL_TAGS = '';

/** From the counts that triggers keep: how many live assets there are in a place, all of them or with a tag. */
export function keptCountStatement(clientId: string, place: Place, tag: string): Statement {
  const build = new StatementBuilder(clientId);
  return build.statement(
    `SELECT coalesce(sum(assets), 0)::int AS count FROM asset_counts
      WHERE client_id = $1 AND tag = ${build.parameter(tag)} AND ${build.place(place)}`,
  );
}

/** How many assets are in trashed folders. */
export function trashedCountStatement(clientId: string): Statement {
  return {
    sql: `SELECT coalesce(sum(assets), 0)::int AS count FROM asset_counts
           WHERE client_id = $1 AND tag = '' AND folder_id IN (${TRASHED_FOLDERS})`,
    values: [clientId],
  };
}

/** The live folders that have assets. */
export function usedFoldersStatement(clientId: string): Statement {
  return {
    sql: `SELECT folder_id FROM asset_counts
           WHERE client_id = $1 AND tag = '' AND folder_id IS NOT NULL AND folder_id NOT IN (${TRASHED_FOLDERS})`,
    values: [clientId],
  };
}

export function hasFilters(query: AssetListQuery): boolean {
  return hasFiltersBesidesTags(query) || (query.tags ?? []).length > 0;
}

/** When a single tag is all that is asked for, the kept counts know how many there are. */
export function onlyTag(query: AssetListQuery): string | null {
  const [tag, ...others] = new Set(query.tags ?? []);
  return tag !== undefined && others.length === 0 && !hasFiltersBesidesTags(query) ? tag : null;
}

/** Whether nothing but used assets are asked for. */
export function isOnlyUsed(query: AssetListQuery): boolean {
  return query.used === true && !hasFilters({ ...query, used: undefined });
}

function hasFiltersBesidesTags(query: AssetListQuery): boolean {
  const isFiltered = query.surface ?? query.mimeType ?? query.fitFor ?? query.used;
  return isFiltered !== undefined || searchTerms(query.q ?? '').length > 0;
}

export function isOneFolder(place: Place): place is { folderId: string | null } {
  return place !== 'everywhere' && 'folderId' in place;
}

export function isManyFolders(place: Place): place is ManyFolders {
  return place !== 'everywhere' && 'folderIds' in place;
}

/** The folder leads the order too, or Postgres would not see that the index is in order where the folder is null. */
function orderOf(place: Place, expression: string, direction: string, lastKey = 'id'): string {
  return `${isOneFolder(place) ? `folder_id ${direction}, ` : ''}${expression} ${direction}, ${lastKey} ${direction}`;
}

function where(conditions: string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

/** The columns are renamed so that `id` means the asset's. Postgres cannot turn a subquery with OFFSET into a join. */
function usedIs(used: boolean, joined: boolean): string {
  return `${used ? '' : 'NOT '}EXISTS (
    SELECT 1 FROM (SELECT client_id AS user_client, asset_id AS used_asset FROM usages) AS usage
     WHERE user_client = $1 AND used_asset = id ${joined ? '' : 'OFFSET 0'})`;
}

export class StatementBuilder {
  private readonly values: unknown[];

  constructor(clientId: string) {
    this.values = [clientId];
  }

  statement(sql: string): Statement {
    return { sql, values: this.values };
  }

  parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  live(): string {
    return 'client_id = $1 AND batch_id IS NULL';
  }

  place(place: Place): string {
    if (place === 'everywhere') return `(folder_id IS NULL OR folder_id NOT IN (${TRASHED_FOLDERS}))`;
    if ('folderIds' in place) {
      const inFolders = `folder_id = ANY(${this.parameter(place.folderIds)}::uuid[])`;
      return place.withTopLevel ? `(folder_id IS NULL OR ${inFolders})` : inFolders;
    }
    return place.folderId === null
      ? 'folder_id IS NULL'
      : `folder_id = ${this.parameter(place.folderId)}::uuid`;
  }

  after(query: AssetListQuery, key?: string): string {
    const { expression, direction, fromField } = SORT_KEYS[query.sort];
    const position = decodeCursor(query.cursor, isPositionOf(query.sort));
    if (position === null) return '';
    const comparison = direction === 'DESC' ? '<' : '>';
    return `AND (${key ?? expression}, id) ${comparison} (${fromField(this.parameter(position[1]))}, ${this.parameter(position[2])}::uuid)`;
  }

  skip({ offset }: AssetListQuery): string {
    return offset ? `OFFSET ${this.parameter(offset)}` : '';
  }

  /**
   * `large`: many assets are to be filtered. Then the index of words is worth asking, although it costs what the beginning of a word
   * occurs in all clients together; and usages are joined instead of being looked up for each asset.
   */
  filters(query: AssetListQuery, large = false): string[] {
    const parts: string[] = [];
    if (query.tags?.length) parts.push(`tags @> ${this.parameter(query.tags)}::text[]`);
    const fitFor = query.fitFor && surfaceOf(query.fitFor);
    for (const surface of new Set([query.surface, fitFor]))
      if (surface)
        parts.push(
          `(allowed_surfaces = '{}' OR allowed_surfaces @> ARRAY[${this.parameter(surface)}::text])`,
        );
    if (query.fitFor) parts.push(`fit_for @> ARRAY[${this.parameter(query.fitFor)}::text]`);
    if (query.mimeType) parts.push(`mime_type = ${this.parameter(query.mimeType)}`);
    if (query.used !== undefined) parts.push(usedIs(query.used, large));
    for (const term of searchTerms(query.q ?? '')) parts.push(this.term(term, large));
    return parts;
  }

  /** Letters, digits and pictographs only: nothing in a term is special to LIKE or to a tsquery. */
  term(term: string, byWords: boolean): string {
    if (isFoundAtWordStart(term)) {
      const beginsWord = `(' ' || search_text) LIKE ${this.parameter(`% ${term}%`)}`;
      return byWords
        ? `(${beginsWord} AND search @@ (${this.parameter(`'${term}':*`)}::tsquery))`
        : beginsWord;
    }
    const isPart = `search_text LIKE ${this.parameter(`%${term}%`)}`;
    const characters = [...term].filter((character) => character > '\u058f');
    if (characters.length === 0) return isPart;
    return `(${isPart} AND search_text ~ '[^${SPACED_SCRIPTS}]'
      AND string_to_array(regexp_replace(search_text, '[${SPACED_SCRIPTS}]+', '', 'g'), NULL) @> ${this.parameter(characters)}::text[])`;
  }
}

/** Whether a term is found at the beginning of words only. */
export function isFoundAtWordStart(term: string): boolean {
  return !WITHOUT_SPACES.test(term) && [...term].length < MIN_TRIGRAM_LENGTH;
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
