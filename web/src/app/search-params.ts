/** Addresses keep plain parameters: `?tags=a&tags=b&used=true`, not JSON. */
export type RawSearch = Record<string, string | string[]>;

export function parseSearch(text: string): RawSearch {
  const search: RawSearch = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const earlier = search[name];
    search[name] = earlier === undefined ? value : [...(Array.isArray(earlier) ? earlier : [earlier]), value];
  }
  return search;
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

export const ASSET_SORTS = ['newest', 'oldest', 'title', 'size'] as const;
export type AssetSort = (typeof ASSET_SORTS)[number];
export const SURFACES = ['website', 'social', 'gbp'] as const;
export type Surface = (typeof SURFACES)[number];

/** What the address of the assets page holds, so that reloading and sharing work. Defaults are left out. */
export interface AssetsSearch {
  folder?: string;
  q?: string;
  tags?: string[];
  /** `image`, `video` or a MIME type. */
  type?: string;
  surface?: Surface;
  used?: boolean;
  fitFor?: Surface;
  sort?: AssetSort;
  /** The opened asset. */
  asset?: string;
}

export function assetsSearch(raw: Record<string, unknown>): AssetsSearch {
  return {
    folder: textOf(raw.folder),
    q: textOf(raw.q),
    tags: textsOf(raw.tags),
    type: textOf(raw.type),
    surface: oneOf(SURFACES, raw.surface),
    used: flagOf(raw.used),
    fitFor: oneOf(SURFACES, raw.fitFor),
    sort: oneOf(ASSET_SORTS, raw.sort),
    asset: textOf(raw.asset),
  };
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
