import { decodeCursor, isText, isTimeText, isUuidText } from '../common/paging/page.js';
import { AGENCY } from '../audit/audit.dto.js';
import type { AssetListQuery, AssetSort } from './asset-list.query.js';
import { ORIENTATION } from './orientation.js';
import { fitToken, surfaceOf } from '../fitness/fitness.rules.js';
import { columnsOf } from '../database/columns.js';
import { Asset } from '../database/entities/asset.entity.js';
import { liveAsset, liveInItsFolder, TRASHED_FOLDERS } from '../database/live.js';
import { searchTerms } from './search.rules.js';

/** Where to look for assets. Folders must be live; `everywhere` excludes trashed ones. */
export type Place = { folderId: string | null } | ManyFolders | 'everywhere';

export interface ManyFolders {
  readonly folderIds: readonly string[];
  readonly withTopLevel?: boolean;
}

/** An index contains the assets in every order. */
export type OrderedPlace = Exclude<Place, ManyFolders>;

export type Position = [sort: AssetSort, field: string, id: string];

/** The text and parameters of a query. With a name, it is prepared once per connection. */
export interface Statement {
  readonly sql: string;
  readonly values: unknown[];
  readonly name?: string;
}

const COLUMNS = columnsOf(Asset);

interface SortKey {
  readonly expression: string;
  readonly direction: 'ASC' | 'DESC';
  /** The field from which the key is derived; part of the cursor. */
  readonly field: 'createdAt' | 'title' | 'sizeBytes';
  readonly fromField: (parameter: string) => string;
}

/** A query whose `createdBy` is an id or the agency. */
export interface AssetFilter extends AssetListQuery {
  /** `createdBy` only finds users of the portal. */
  readonly onlyPortalUsers?: boolean;
}

const byTime = (direction: 'ASC' | 'DESC'): SortKey => ({
  expression: 'created_at',
  direction,
  field: 'createdAt',
  fromField: (time) => `${time}::timestamptz`,
});

const byTitle = (direction: 'ASC' | 'DESC'): SortKey => ({
  expression: 'title_key',
  direction,
  field: 'title',
  fromField: (title) => `natural_key(${title}::text)`,
});

const bySize = (direction: 'ASC' | 'DESC'): SortKey => ({
  expression: 'size_bytes',
  direction,
  field: 'sizeBytes',
  fromField: (size) => `${size}::bigint`,
});

/** Each sort, or its reverse, has an index on (client, folder, key, id) and one on (client, key, id). */
const SORT_KEYS: Record<AssetSort, SortKey> = {
  newest: byTime('DESC'),
  oldest: byTime('ASC'),
  title: byTitle('ASC'),
  titleDescending: byTitle('DESC'),
  size: bySize('DESC'),
  smallest: bySize('ASC'),
};

/** The position in the list after an asset. */
export function positionAfter(sort: AssetSort, asset: Asset): Position {
  const key = asset[SORT_KEYS[sort].field];
  return [sort, key instanceof Date ? key.toISOString() : String(key), asset.id];
}

/** Shorter words have no trigrams and only match at the beginning of words. */
const MIN_TRIGRAM_LENGTH = 3;

/** Scripts without spaces, and pictographs: a term can occur anywhere, even a short one. */
const WITHOUT_SPACES = /[\p{Lo}\p{So}]/u;

/** Characters that `assets_search_characters` excludes: Latin, Greek, Cyrillic and Armenian. */
const SPACED_SCRIPTS = String.raw`\u0001-\u058f`;

/** The next page, unfiltered. Each row contains the number of assets in the place. */
export function pageStatement(clientId: string, place: OrderedPlace, query: AssetFilter): Statement {
  const build = new StatementBuilder(clientId);
  const { expression, direction } = SORT_KEYS[query.sort];
  const inPlace = build.place(place);
  const limit = build.parameter(query.limit + 1);
  const page = query.offset ? 'skipped' : query.cursor === undefined ? 'first' : 'next';
  const total = `(SELECT coalesce(sum(assets), 0)::int FROM asset_counts WHERE client_id = $1 AND tag = '' AND ${inPlace}) AS total`;
  const order = orderOf(place, expression, direction);
  // For skipped assets, only the index is read.
  const sql = query.offset
    ? `SELECT ${COLUMNS}, ${total} FROM (
         SELECT id AS page_id, ${expression} AS sort_key FROM assets WHERE ${build.live()} AND ${inPlace}
          ORDER BY ${order} OFFSET ${build.parameter(query.offset)} LIMIT ${limit}) AS page
         CROSS JOIN LATERAL (SELECT * FROM assets WHERE id = page_id OFFSET 0) AS asset
        ORDER BY sort_key ${direction}, page_id ${direction}`
    : `SELECT ${COLUMNS}, ${total}
         FROM assets WHERE ${build.live()} AND ${inPlace} ${build.after(query)} ORDER BY ${order} LIMIT ${limit}`;
  return { ...build.statement(sql), name: `list-${nameOf(place)}-${query.sort}-${page}` };
}

/**
 * Reads the next `bound` assets in order and keeps those that match. The inner LIMIT prevents the planner from choosing another plan.
 * `seen` is the number of assets read up to this one. For many folders, the scan ends after `maxPassed` index entries, including those of
 * other folders.
 */
export function walkStatement(
  clientId: string,
  place: Place,
  query: AssetFilter,
  bound: number,
  maxPassed = bound,
): Statement {
  const build = new StatementBuilder(clientId);
  const { expression, direction } = SORT_KEYS[query.sort];
  const order = orderOf(place, expression, direction);
  const keyOrder = orderOf(place, 'sort_key', direction);
  const conditions = where(build.filters(query));
  const limit = build.parameter(query.limit + 1);
  const within = `${build.live()} ${build.inTime(query)} ${build.after(query)}`;
  const most = build.parameter(bound);
  // There may be many assets of other folders in between, so only the index is read until the folder is known to match.
  const read = isManyFolders(place)
    ? `SELECT asset.*, sort_key, seen FROM (
         SELECT id AS entry_id, sort_key, row_number() OVER (ORDER BY ${keyOrder}) AS seen FROM (
           SELECT id, folder_id, ${expression} AS sort_key FROM assets WHERE ${within}
            ORDER BY ${order} LIMIT ${build.parameter(Math.max(bound, maxPassed))}) AS entry
          WHERE ${build.place(place)} ORDER BY ${keyOrder} LIMIT ${most}) AS candidate
         CROSS JOIN LATERAL (SELECT * FROM assets WHERE id = entry_id OFFSET 0) AS asset`
    : `SELECT *, ${expression} AS sort_key, row_number() OVER (ORDER BY ${order}) AS seen
         FROM assets WHERE ${within} AND ${build.place(place)} ORDER BY ${order} LIMIT ${most}`;
  return build.statement(
    `SELECT ${COLUMNS}, seen FROM (${read}) AS asset ${conditions} ORDER BY ${keyOrder} LIMIT ${limit}`,
  );
}

/** The next page of many folders, unfiltered: merges the first assets of each folder. The rest of the library does not matter. */
export function mergeStatement(clientId: string, place: ManyFolders, query: AssetFilter): Statement {
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
    `SELECT ${COLUMNS} FROM (SELECT * FROM (${all}) AS firsts ORDER BY ${order} LIMIT ${limit}) AS page
       JOIN assets ON id = page_id ORDER BY ${order}`,
  );
}

/** Finds every match with the indexes of the filters, then sorts them. Returns at least one row, for the total. */
export function matchesStatement(
  clientId: string,
  place: Place,
  query: AssetFilter,
  size: 'small' | 'large',
): Statement {
  const build = new StatementBuilder(clientId);
  const { expression, direction } = SORT_KEYS[query.sort];
  const filters = build.filters(query, size === 'large');
  const conditions = [build.live(), build.place(place), ...filters].join(' AND ');
  return build.statement(
    `WITH matches AS MATERIALIZED (SELECT id, ${expression} AS sort_key FROM assets WHERE ${conditions})
     SELECT ${COLUMNS}, total FROM (SELECT count(*)::int AS total FROM matches) AS counted
       LEFT JOIN (SELECT id AS page_id, sort_key FROM matches WHERE true ${build.after(query, 'sort_key')}
                   ORDER BY sort_key ${direction}, id ${direction} ${build.skip(query)} LIMIT ${build.parameter(query.limit + 1)}) AS page ON true
       LEFT JOIN assets ON id = page_id
      ORDER BY page.sort_key ${direction}, page_id ${direction}`,
  );
}

/**
 * Counts matches up to `max`: among the first `bound` assets, or else among all, found by the indexes of the filters. The planner must not
 * know the LIMIT then: it could assume that reading in any order soon finds enough, and read everything if it does not.
 */
export function countStatement(
  clientId: string,
  place: Place,
  query: AssetFilter,
  max: number,
  bound?: number,
): Statement {
  const build = new StatementBuilder(clientId);
  const { expression, direction } = SORT_KEYS[query.sort];
  const within = `assets WHERE ${build.live()} AND ${build.place(place)} ${build.inTime(query)}`;
  const order = isManyFolders(place) ? '' : `ORDER BY ${orderOf(place, expression, direction)}`;
  const found =
    bound === undefined
      ? `WITH found AS MATERIALIZED (SELECT FROM ${[within, ...build.filters(query, true)].join(' AND ')}) SELECT FROM found`
      : `SELECT FROM (SELECT * FROM ${within} ${order} LIMIT ${build.parameter(bound)}) AS asset ${where(build.filters(query))}`;
  return build.statement(
    `SELECT count(*)::int AS count FROM (${found} LIMIT ${build.parameter(max)}) AS counted`,
  );
}

/** In `asset_counts`, represents assets with any tag or none. */
export const ALL_TAGS = '';

/** From the counts that triggers maintain: the number of live assets in a place, all of them or with a tag. */
export function keptCountStatement(clientId: string, place: Place, tag: string): Statement {
  const build = new StatementBuilder(clientId);
  return build.statement(
    `SELECT coalesce(sum(assets), 0)::int AS count FROM asset_counts
      WHERE client_id = $1 AND tag = ${build.parameter(tag)} AND ${build.place(place)}`,
  );
}

/** The number of assets in trashed folders. */
export function trashedCountStatement(clientId: string): Statement {
  return {
    sql: `SELECT coalesce(sum(assets), 0)::int AS count FROM asset_counts
           WHERE client_id = $1 AND tag = '' AND folder_id IN (${TRASHED_FOLDERS})`,
    values: [clientId],
  };
}

/** The live folders that contain assets. */
export function filledFoldersStatement(clientId: string): Statement {
  return {
    sql: `SELECT folder_id FROM asset_counts
           WHERE client_id = $1 AND tag = '' AND folder_id IS NOT NULL AND folder_id NOT IN (${TRASHED_FOLDERS})`,
    values: [clientId],
  };
}

/** Besides the tags and the search. */
const FILTERS = [
  'surface',
  'mimeType',
  'fitFor',
  'used',
  'createdBy',
  'missingAltText',
  'duplicates',
  'createdFrom',
  'createdTo',
  'takenFrom',
  'takenTo',
  'orientation',
  'minWidth',
  'minHeight',
] as const satisfies (keyof AssetListQuery)[];

/**
 * Who uploaded live assets, with the name that one of these has. Jumps from one to the next in the index, so it costs as much as there are creators.
 */
export function creatorsStatement(clientId: string, max: number): Statement {
  const next = (after: string) => `
    SELECT created_by_kind, created_by_id FROM assets WHERE client_id = $1 AND ${liveInItsFolder()} AND created_by_kind IS NOT NULL ${after}
     ORDER BY created_by_kind, created_by_id LIMIT 1`;
  return {
    sql: `WITH RECURSIVE creators AS (
        (${next('')})
        UNION ALL
        SELECT following.* FROM creators CROSS JOIN LATERAL (${next('AND (assets.created_by_kind, assets.created_by_id) > (creators.created_by_kind, creators.created_by_id)')}) AS following)
      SELECT created_by_kind AS "createdByKind", created_by_id AS "createdById", name AS "createdByName"
        FROM creators CROSS JOIN LATERAL (
          SELECT created_by_name AS name FROM assets
           WHERE client_id = $1 AND ${liveInItsFolder()} AND assets.created_by_kind = creators.created_by_kind
             AND assets.created_by_id IS NOT DISTINCT FROM creators.created_by_id AND (folder_id IS NULL OR folder_id NOT IN (${TRASHED_FOLDERS})) LIMIT 1) AS any_asset
       LIMIT $2`,
    values: [clientId, max],
    name: 'list-creators',
  };
}

export function hasFilters(query: AssetFilter): boolean {
  return hasFiltersBesidesTags(query) || (query.tags ?? []).length > 0;
}

/** If a single tag is the only filter, the maintained counts contain the total. */
export function onlyTag(query: AssetFilter): string | null {
  const [tag, ...others] = new Set(query.tags ?? []);
  return tag !== undefined && others.length === 0 && !hasFiltersBesidesTags(query) ? tag : null;
}

function hasFiltersBesidesTags(query: AssetFilter): boolean {
  return FILTERS.some((filter) => query[filter] !== undefined) || searchTerms(query.q ?? '').length > 0;
}

export function isOneFolder(place: Place): place is { folderId: string | null } {
  return place !== 'everywhere' && 'folderId' in place;
}

export function isManyFolders(place: Place): place is ManyFolders {
  return place !== 'everywhere' && 'folderIds' in place;
}

/** Also ordered by folder; otherwise Postgres would not recognize the order of the index if the folder is null. */
function orderOf(place: Place, expression: string, direction: string, lastKey = 'id'): string {
  return `${isOneFolder(place) ? `folder_id ${direction}, ` : ''}${expression} ${direction}, ${lastKey} ${direction}`;
}

function nameOf(place: OrderedPlace): string {
  if (place === 'everywhere') return place;
  return place.folderId === null ? 'top' : 'folder';
}

function where(conditions: string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
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
    return `client_id = $1 AND ${liveInItsFolder()}`;
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

  after(query: AssetFilter, key?: string): string {
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
   * `large`: many assets have to be filtered. Then the index of words is used, although its cost depends on how often a
   * prefix occurs in all clients together.
   */
  filters(query: AssetFilter, large = false): string[] {
    const parts: string[] = [];
    if (query.tags?.length) parts.push(`tags @> ${this.parameter(query.tags)}::text[]`);
    const fitFor = query.fitFor && surfaceOf(query.fitFor);
    for (const surface of new Set([query.surface, fitFor]))
      if (surface)
        parts.push(
          `(allowed_surfaces = '{}' OR allowed_surfaces @> ARRAY[${this.parameter(surface)}::text])`,
        );
    if (query.fitFor)
      parts.push(`fit_for @> ARRAY[${this.parameter(fitToken(query.fitFor, query.fitVerdict))}::text]`);
    if (query.mimeType) parts.push(`mime_type = ${this.parameter(query.mimeType)}`);
    if (query.used !== undefined) parts.push(query.used ? 'usages > 0' : 'NOT (usages > 0)');
    if (query.createdBy !== undefined) parts.push(this.creator(query.createdBy, query.onlyPortalUsers));
    if (query.missingAltText !== undefined)
      parts.push(query.missingAltText ? `alt_text = ''` : `NOT (alt_text = '')`);
    if (query.duplicates !== undefined) parts.push(this.duplicates(query.duplicates));
    parts.push(
      ...this.between('created_at', query.createdFrom, query.createdTo),
      ...this.between('taken_at', query.takenFrom, query.takenTo),
    );
    if (query.orientation) parts.push(`${ORIENTATION} = ${this.parameter(query.orientation)}`);
    if (query.minWidth) parts.push(`width >= ${this.parameter(query.minWidth)}::int`);
    if (query.minHeight) parts.push(`height >= ${this.parameter(query.minHeight)}::int`);
    for (const term of searchTerms(query.q ?? '')) parts.push(this.term(term, large));
    return parts;
  }

  creator(createdBy: string, onlyPortalUsers = false): string {
    if (createdBy === AGENCY) return `created_by_kind IN ('user', 'api_key', 'system')`;
    const kinds = onlyPortalUsers ? `'portal_user'` : `'portal_user', 'user', 'api_key'`;
    return `created_by_kind IN (${kinds}) AND created_by_id = ${this.parameter(createdBy)}::uuid`;
  }

  /** Of equal assets, all but the first are marked as copies; those that still exist outside the trash are looked up. */
  duplicates(wanted: boolean): string {
    // The columns are renamed so that `sha256` and `id` mean the asset's.
    const isDuplicate = `(sha256 IN (SELECT sha256 FROM assets WHERE client_id = $1 AND is_copy) AND EXISTS (
      SELECT FROM (SELECT sha256 AS copy_hash, id AS copy_id FROM assets AS copy WHERE client_id = $1 AND ${liveAsset('copy')}) AS copies
       WHERE copy_hash = sha256 AND copy_id <> id))`;
    return wanted ? isDuplicate : `NOT ${isDuplicate}`;
  }

  /** If assets are listed by time, the part of the index to be read. */
  inTime(query: AssetFilter): string {
    if (SORT_KEYS[query.sort].field !== 'createdAt') return '';
    return this.between('created_at', query.createdFrom, query.createdTo)
      .map((condition) => `AND ${condition}`)
      .join(' ');
  }

  between(column: string, from: Date | undefined, to: Date | undefined): string[] {
    const parts: string[] = [];
    if (from) parts.push(`${column} >= ${this.parameter(from)}::timestamptz`);
    if (to) parts.push(`${column} < ${this.parameter(to)}::timestamptz`);
    return parts;
  }

  /** Letters, digits and pictographs only: a term contains nothing that is special to LIKE or to a tsquery. */
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

/** Whether a term only matches at the beginning of words. */
export function isFoundAtWordStart(term: string): boolean {
  return !WITHOUT_SPACES.test(term) && [...term].length < MIN_TRIGRAM_LENGTH;
}

function isPositionOf(sort: AssetSort) {
  return (value: unknown): value is Position => {
    if (!Array.isArray(value) || value.length !== 3 || value[0] !== sort || !isUuidText(value[2]))
      return false;
    const key: unknown = value[1];
    const { field } = SORT_KEYS[sort];
    if (field === 'title') return isText(key);
    if (field === 'sizeBytes') return isText(key) && /^\d{1,15}$/.test(key);
    return isTimeText(key);
  };
}
