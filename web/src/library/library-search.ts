import { MIME_TYPES } from '../api/file-types';
import {
  ASSET_SORTS,
  type AssetSort,
  FIT_FOR,
  type FitFor,
  type MimeType,
  type Surface,
  SURFACES,
} from '../api/values';
import { flagOf, oneOf, textOf, textsOf, wholeOf } from '../browser/search-params';

/** The state of the library in its URL, so that reloading and sharing work. Defaults are omitted. */
export interface LibrarySearch {
  folder?: string;
  /** Free-text search. */
  q?: string;
  tags?: string[];
  type?: MimeType;
  surface?: Surface;
  used?: boolean;
  /** A surface or one of its channels. */
  fitFor?: FitFor;
  sort?: AssetSort;
  /** Lists everything below the folder too. */
  below?: true;
  /** The asset that is open in the lightbox. */
  asset?: string;
  /** The asset whose details to show. */
  details?: string;
  /** The position at which that asset was seen in the list, where it is looked for first. */
  at?: number;
}

export type Filters = Pick<LibrarySearch, 'tags' | 'type' | 'surface' | 'used' | 'fitFor'>;

/** What clears the search and every filter. */
export const NO_FILTERS: Partial<LibrarySearch> = {
  q: undefined,
  tags: undefined,
  type: undefined,
  surface: undefined,
  used: undefined,
  fitFor: undefined,
};

/** The parameters that determine which assets are listed, and in which order. */
export type Listing = Omit<LibrarySearch, 'asset' | 'details' | 'at'>;

/** Names every parameter, because the router keeps the raw value of one that is missing here. */
export function librarySearch(raw: Record<string, unknown>): LibrarySearch {
  return {
    folder: textOf(raw.folder),
    q: textOf(raw.q),
    tags: textsOf(raw.tags),
    type: oneOf(MIME_TYPES, raw.type),
    surface: oneOf(SURFACES, raw.surface),
    used: flagOf(raw.used),
    fitFor: oneOf(FIT_FOR, raw.fitFor),
    sort: oneOf(ASSET_SORTS, raw.sort),
    below: flagOf(raw.below) || undefined,
    asset: textOf(raw.asset),
    details: textOf(raw.details),
    at: wholeOf(raw.at),
  };
}

export function listingOf({ asset: _asset, details: _details, at: _at, ...listing }: LibrarySearch): Listing {
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
