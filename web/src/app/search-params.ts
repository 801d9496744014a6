import { ASSET_SORTS, type AssetSort, type Surface, SURFACES } from '../api/values';
import { ownPath } from './own-path';

/** URLs contain plain parameters, such as `?tags=a&tags=b&used=true`, not JSON. */
export type RawSearch = Record<string, string | string[]>;

export function parseSearch(text: string): RawSearch {
  const search = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const earlier = search.get(name);
    search.set(name, earlier === undefined ? value : [earlier, value].flat());
  }
  return Object.fromEntries(search);
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value === undefined || value === null || value === '') continue;
    for (const each of Array.isArray(value) ? value : [value]) params.append(name, String(each));
  }
  const text = params.toString();
  return text ? `?${text}` : '';
}

/** The state of the assets page in its URL, so that reloading and sharing work. Defaults are omitted. */
export interface AssetsSearch {
  folder?: string;
  q?: string;
  tags?: string[];
  /** `image`, `video` or a MIME type. */
  type?: string;
  surface?: Surface;
  used?: boolean;
  /** A surface or one of its channels. */
  fitFor?: string;
  sort?: AssetSort;
  /** Lists everything below the folder too. */
  below?: true;
  /** The opened asset. */
  asset?: string;
  /** The asset whose details to show. */
  details?: string;
}

export function assetsSearch(raw: Record<string, unknown>): AssetsSearch {
  return {
    folder: textOf(raw.folder),
    q: textOf(raw.q),
    tags: textsOf(raw.tags),
    type: textOf(raw.type),
    surface: oneOf(SURFACES, raw.surface),
    used: flagOf(raw.used),
    fitFor: textOf(raw.fitFor),
    sort: oneOf(ASSET_SORTS, raw.sort),
    below: flagOf(raw.below) || undefined,
    asset: textOf(raw.asset),
    details: textOf(raw.details),
  };
}

/** Where to go after signing in: a path on our own origin. */
export interface SignInSearch {
  next?: string;
}

export function signInSearch(raw: Record<string, unknown>): SignInSearch {
  return { next: ownPath(textOf(raw.next), location.origin) };
}

export interface PickerSearch {
  surface?: Surface;
  multiple?: boolean;
  clientId?: string;
  origin?: string;
}

export function pickerSearch(raw: Record<string, unknown>): PickerSearch {
  return {
    surface: oneOf(SURFACES, raw.surface),
    multiple: flagOf(raw.multiple),
    clientId: textOf(raw.clientId),
    origin: textOf(raw.origin),
  };
}

export const DELIVERY_STATES = ['queued', 'running', 'delivered', 'failed', 'cancelled'] as const;

export interface DeliveriesSearch {
  status?: (typeof DELIVERY_STATES)[number];
  /** The target's id. */
  target?: string;
}

export function deliveriesSearch(raw: Record<string, unknown>): DeliveriesSearch {
  return { status: oneOf(DELIVERY_STATES, raw.status), target: textOf(raw.target) };
}

export interface ActivitySearch {
  /** The kind of record that changed: the part of an action before the dot. */
  kind?: string;
  /** The id of a user or key, or `system`. */
  actor?: string;
}

export function activitySearch(raw: Record<string, unknown>): ActivitySearch {
  return { kind: textOf(raw.kind), actor: textOf(raw.actor) };
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function textsOf(value: unknown): string[] | undefined {
  const texts = (Array.isArray(value) ? value : [value]).filter(
    (each): each is string => textOf(each) !== undefined,
  );
  return texts.length > 0 ? texts : undefined;
}

export function flagOf(value: unknown): boolean | undefined {
  return value === 'true' || value === true ? true : value === 'false' || value === false ? false : undefined;
}

export function oneOf<const Value extends string>(
  values: readonly Value[],
  value: unknown,
): Value | undefined {
  return values.find((each) => each === value);
}
