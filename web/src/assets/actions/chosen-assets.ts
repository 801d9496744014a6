import { apiFor } from '../../api/client';
import { fetchPage } from '../library/library-queries';
import type { Asset } from '../library/asset-types';
import type { Library } from '../library/use-library';
import type { Selection, Span } from '../selection/selection';

/** The ids of assets, each with its folder. */
export type Places = ReadonlyMap<string, string | null>;

const LOADED_AT_ONCE = 200;
const REQUESTS_AT_ONCE = 4;

/** The selected assets. If a range includes assets that are not loaded, their ids are fetched first. */
export async function chosenAssets(library: Library): Promise<Places> {
  const { selection } = library.selection.get();
  if (selection.spans.length === 0) return placesOf(library, selection.ids);
  return new Map(
    (await assetsInSpans(library, selection)).map(({ assetId, folderId }) => [assetId, folderId]),
  );
}

/** The selected assets as they are now, for changes that depend on it. */
export async function chosenInFull(library: Library): Promise<Asset[]> {
  const { selection } = library.selection.get();
  if (selection.spans.length > 0) return assetsInSpans(library, selection);
  return [...selection.ids].flatMap((id) => library.cache.find(id) ?? []);
}

async function assetsInSpans(library: Library, { spans, except }: Selection): Promise<Asset[]> {
  const found = new Map<string, Asset>();
  for (const span of spans)
    for (const asset of await assetsIn(library, span)) found.set(asset.assetId, asset);
  for (const id of except) found.delete(id);
  return [...found.values()];
}

export function placesOf({ cache, listing }: Library, ids: Iterable<string>): Places {
  return new Map([...ids].map((id) => [id, cache.find(id)?.folderId ?? listing.folder ?? null]));
}

async function assetsIn(library: Library, { start, end }: Span): Promise<Asset[]> {
  const offsets = Array.from(
    { length: Math.ceil((end - start + 1) / LOADED_AT_ONCE) },
    (_, step) => start + step * LOADED_AT_ONCE,
  );
  const found: Asset[][] = [];
  const api = apiFor(library.scope.basePath);
  for (let next = 0; next < offsets.length; next += REQUESTS_AT_ONCE) {
    const group = offsets.slice(next, next + REQUESTS_AT_ONCE).map(async (offset) => {
      const limit = Math.min(LOADED_AT_ONCE, end - offset + 1);
      const { assets } = await fetchPage(api, library.listing, offset, limit);
      return assets.filter((asset) => asset !== null && asset !== undefined);
    });
    found.push(...(await Promise.all(group)));
  }
  return found.flat();
}

export function byFolder(places: Places): Map<string | null, string[]> {
  const groups = new Map<string | null, string[]>();
  for (const [id, folderId] of places) groups.set(folderId, [...(groups.get(folderId) ?? []), id]);
  return groups;
}

export function countByFolder(places: Places): Map<string | null, number> {
  const counts = new Map<string | null, number>();
  for (const folderId of places.values()) counts.set(folderId, (counts.get(folderId) ?? 0) + 1);
  return counts;
}
