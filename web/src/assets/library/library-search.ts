import {
  ASSET_SORTS,
  type AssetSort,
  FIT_FOR,
  type FitFor,
  MIME_TYPES,
  type MimeType,
  type Surface,
  SURFACES,
} from '../../api/values';

/** The state of the assets page in its URL, so that reloading and sharing work. */
export interface LibrarySearch {
  folder?: string;
  q?: string;
  tags?: string[];
  type?: MimeType;
  surface?: Surface;
  used?: boolean;
  fitFor?: FitFor;
  sort?: AssetSort;
  /** Lists everything below the folder too. */
  below?: true;
  /** The asset that is open in the lightbox. */
  asset?: string;
  /** The asset whose details to show. */
  details?: string;
}

export type Filters = Pick<LibrarySearch, 'tags' | 'type' | 'surface' | 'used' | 'fitFor'>;

/** Free-text search. */
export const NO_FILTERS: Partial<LibrarySearch> = {
  q: undefined,
  tags: undefined,
  type: undefined,
  surface: undefined,
  used: undefined,
  fitFor: undefined,
};

/** The parameters that determine which assets are listed, and in which order. */
export type Listing = Omit<LibrarySearch, 'asset' | 'details'>;

/** A URL can contain anything, so invalid values are ignored. */
export function parseLibrarySearch(input: Record<string, unknown>): LibrarySearch {
  const tags = listOf(input['tags']);
  return defined({
    folder: textOf(input['folder']),
    q: textOf(input['q']),
    tags: tags.length > 0 ? tags : undefined,
    type: oneOf(MIME_TYPES, input['type']),
    surface: oneOf(SURFACES, input['surface']),
    used: flagOf(input['used']),
    fitFor: oneOf(FIT_FOR, input['fitFor']),
    sort: oneOf(ASSET_SORTS, input['sort']),
    below: flagOf(input['below']) || undefined,
    asset: textOf(input['asset']),
    details: textOf(input['details']),
  });
}

export function listingOf({ asset: _asset, details: _details, ...listing }: LibrarySearch): Listing {
  return listing;
}

export function filtersOf({ tags, type, surface, used, fitFor }: LibrarySearch): Filters {
  return defined({ tags, type, surface, used, fitFor });
}

export function countFilters(search: LibrarySearch): number {
  return Object.keys(filtersOf(search)).length;
}

/** A search or a filter covers the folder and everything below. */
export function isNarrowed(search: LibrarySearch): boolean {
  return search.q !== undefined || countFilters(search) > 0;
}

/** Whether the listing contains what is below the folder. */
export function coversBelow(search: LibrarySearch): boolean {
  return search.below === true || isNarrowed(search);
}

/** The API's name for it. */
export function queryOf(listing: Listing) {
  const { folder, q, tags, type, surface, used, fitFor, sort } = listing;
  return defined({
    folderId: folder,
    q,
    tags,
    mimeType: type,
    surface,
    used,
    fitFor,
    below: coversBelow(listing) || undefined,
    sort: sort ?? 'newest',
  });
}

function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function listOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.flatMap((each) => textOf(each) ?? []);
}

function oneOf<T extends string>(allowed: readonly T[], value: unknown): T | undefined {
  return allowed.find((each) => each === value);
}

function flagOf(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}
