import { apiFor } from '../../api/client';
import { fetchPage } from '../library/library-queries';
import type { Library } from '../library/use-library';
import type { Span } from '../selection/selection';

/** The ids of assets, each with its folder. */
export type Places = ReadonlyMap<string, string | null>;

const LOADED_AT_ONCE = 200;
const REQUESTS_AT_ONCE = 4;

/** The selected assets. If a range includes assets that are not loaded, their ids are fetched first. */
export async function chosenAssets(library: Library): Promise<Places> {
  const { selection } = library.selection.get();
  if (selection.spans.length === 0) return placesOf(library, selection.ids);
  const places = new Map<string, string | null>();
  for (const span of selection.spans)
    for (const [id, folderId] of await placesIn(library, span)) places.set(id, folderId);
  for (const id of selection.except) places.delete(id);
  return places;
}

export function placesOf({ cache, listing }: Library, ids: Iterable<string>): Places {
  return new Map([...ids].map((id) => [id, cache.find(id)?.folderId ?? listing.folder ?? null]));
}

async function placesIn(library: Library, { start, end }: Span): Promise<[string, string | null][]> {
  const offsets = Array.from(
    { length: Math.ceil((end - start + 1) / LOADED_AT_ONCE) },
    (_, step) => start + step * LOADED_AT_ONCE,
  );
  const found: [string, string | null][][] = [];
  const api = apiFor(library.scope.basePath);
  for (let next = 0; next < offsets.length; next += REQUESTS_AT_ONCE) {
    const group = offsets.slice(next, next + REQUESTS_AT_ONCE).map(async (offset) => {
      const limit = Math.min(LOADED_AT_ONCE, end - offset + 1);
      const { assets } = await fetchPage(api, library.listing, offset, limit);
      return assets.flatMap((asset): [string, string | null][] =>
        asset ? [[asset.assetId, asset.folderId]] : [],
      );
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
