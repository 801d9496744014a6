import { MIME_TYPES } from '../api/file-types';
import {
  ASSET_SORTS,
  type AssetSort,
  FIT_FOR,
  FIT_VERDICTS,
  type FitFor,
  type FitVerdict,
  type MimeType,
  type Orientation,
  ORIENTATIONS,
  type Surface,
  SURFACES,
} from '../api/values';
import { flagOf, numberOf, oneOf, textOf, textsOf } from '../browser/search-params';
import { type Days, daysOf, instantsOf } from './days';

/** The state of the library in its URL, so that reloading and sharing work. Defaults are omitted. */
export interface LibrarySearch extends Filters {
  /** The latest uploads of the whole library, by day. */
  view?: 'recent';
  folder?: string;
  /** Free-text search. */
  q?: string;
  sort?: AssetSort;
  /** Lists everything below the folder too: at the top level, the whole library. */
  below?: true;
  /** The asset that is open in the lightbox. */
  asset?: string;
  /** The asset whose details to show. */
  details?: string;
  /** The position at which that asset was seen in the list, where it is looked for first. */
  at?: number;
}

export interface Filters {
  tags?: string[];
  type?: MimeType;
  surface?: Surface;
  used?: boolean;
  /** A surface or one of its channels. */
  fitFor?: FitFor;
  /** Only together with `fitFor`. */
  fitVerdict?: FitVerdict;
  missingAltText?: true;
  duplicates?: true;
  orientation?: Orientation;
  /** In pixels. */
  minWidth?: number;
  minHeight?: number;
  uploaded?: Days;
  taken?: Days;
  /** A user or an API key; `me` for the user, `agency` for anyone who does not belong to the client. */
  createdBy?: string;
}

/** Reads each filter from an address. */
const FILTERS: { readonly [Name in keyof Required<Filters>]: (raw: unknown) => Filters[Name] } = {
  tags: textsOf,
  type: (raw) => oneOf(MIME_TYPES, raw),
  surface: (raw) => oneOf(SURFACES, raw),
  used: flagOf,
  fitFor: (raw) => oneOf(FIT_FOR, raw),
  fitVerdict: (raw) => oneOf(FIT_VERDICTS, raw),
  missingAltText: (raw) => flagOf(raw) || undefined,
  duplicates: (raw) => flagOf(raw) || undefined,
  orientation: (raw) => oneOf(ORIENTATIONS, raw),
  minWidth: sideOf,
  minHeight: sideOf,
  uploaded: daysOf,
  taken: daysOf,
  createdBy: creatorOf,
};
const FILTER_NAMES = Object.keys(FILTERS) as (keyof Filters)[];

/** What clears the search and every filter. */
export const NO_FILTERS: Partial<LibrarySearch> = {
  q: undefined,
  ...(Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined])) as Partial<Filters>),
};

/** What leads to each view of the whole library, and away from it: a folder, or the top level. */
export const ALL_ASSETS: Partial<LibrarySearch> = {
  ...NO_FILTERS,
  view: undefined,
  folder: undefined,
  below: true,
};
export const RECENT: Partial<LibrarySearch> = { ...ALL_ASSETS, view: 'recent', below: undefined };
export const inFolder = (folderId: string | null): Partial<LibrarySearch> => ({
  ...ALL_ASSETS,
  folder: folderId ?? undefined,
  below: undefined,
});

/** The parameters that determine which assets are listed, and in which order. */
export type Listing = Omit<LibrarySearch, 'asset' | 'details' | 'at'>;

/** Names every parameter, because the router keeps the raw value of one that is missing here. */
export function librarySearch(raw: Record<string, unknown>): LibrarySearch {
  const filters = Object.fromEntries(FILTER_NAMES.map((name) => [name, FILTERS[name](raw[name])])) as Filters;
  const view = oneOf(['recent'], raw.view);
  return {
    ...filters,
    fitVerdict: filters.fitFor && filters.fitVerdict,
    view,
    folder: view ? undefined : textOf(raw.folder),
    q: textOf(raw.q),
    sort: view ? undefined : oneOf(ASSET_SORTS, raw.sort),
    below: view ? undefined : flagOf(raw.below) || undefined,
    asset: textOf(raw.asset),
    details: textOf(raw.details),
    at: numberOf(raw.at),
  };
}

export function listingOf({ asset: _asset, details: _details, at: _at, ...listing }: LibrarySearch): Listing {
  return listing;
}

/** Two parameters that are one filter. */
const PART_OF: Partial<Record<keyof Filters, keyof Filters>> = {
  fitVerdict: 'fitFor',
  minHeight: 'minWidth',
};

export function countFilters(search: LibrarySearch): number {
  const set = FILTER_NAMES.filter((name) => search[name] !== undefined);
  return new Set(set.map((name) => PART_OF[name] ?? name)).size;
}

/** A search or a filter covers the folder and everything below. */
export function isNarrowed(search: LibrarySearch): boolean {
  return search.q !== undefined || countFilters(search) > 0;
}

/** Whether the listing contains what is below the folder. */
export function coversBelow(search: LibrarySearch): boolean {
  return search.below === true || search.view === 'recent' || isNarrowed(search);
}

/** Which view of the whole library is open, if any. */
export function viewOf({ view, below, folder }: LibrarySearch): 'all' | 'recent' | null {
  return view ?? (below && folder === undefined ? 'all' : null);
}

/** The API's name for it. */
export function queryOf(listing: Listing) {
  const { folder, q, sort, type, uploaded, taken, view: _view, below: _below, ...same } = listing;
  const [created, shot] = [instantsOf(uploaded), instantsOf(taken)];
  return defined({
    ...same,
    folderId: folder,
    q,
    mimeType: type,
    createdFrom: created.from,
    createdTo: created.to,
    takenFrom: shot.from,
    takenTo: shot.to,
    below: coversBelow(listing) || undefined,
    sort: sort ?? 'newest',
  });
}

export const MAX_SIDE = 100_000;

function sideOf(raw: unknown): number | undefined {
  const side = numberOf(raw);
  return side !== undefined && side >= 1 && side <= MAX_SIDE ? side : undefined;
}

function creatorOf(raw: unknown): string | undefined {
  return typeof raw === 'string' && /^(me|agency|[0-9a-f-]{36})$/i.test(raw) ? raw : undefined;
}

function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}
