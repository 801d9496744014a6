import { apiFor, body } from '../../api/client';
import { missingAsset } from '../../missing/missing-problem';
import { fetchPage } from '../../library/library-queries';
import type { Asset, Places } from '../../library/asset-types';
import type { Library } from '../../library/use-library';
import type { Selection, Span } from '../../library/selection';
import { placesOf } from './places';

const LOADED_AT_ONCE = 200;
const REQUESTS_AT_ONCE = 4;

/** The selected assets. If a range includes assets that are not loaded, their ids are fetched first. */
export async function chosenAssets(
  library: Library,
  selection: Selection = library.selection.get().selection,
): Promise<Places> {
  if (selection.spans.length === 0) return placesOf(library, selection.ids);
  return new Map(
    (await assetsInSpans(library, selection)).map(({ assetId, folderId }) => [assetId, folderId]),
  );
}

/** The selected assets as they are now, for changes that depend on it. */
export async function chosenInFull(library: Library, selection: Selection): Promise<Asset[]> {
  if (selection.spans.length > 0) return assetsInSpans(library, selection);
  const known = library.cache.findMany(selection.ids);
  const loaded = new Set(known.map(({ assetId }) => assetId));
  const others = [...selection.ids].filter((id) => !loaded.has(id));
  return [...known, ...(await inGroups(others, (id) => assetIfAny(library, id))).flat()];
}

/** None if it has been deleted or is in the trash. */
async function assetIfAny({ scope }: Library, assetId: string): Promise<Asset[]> {
  try {
    return [await body(apiFor(scope.basePath).GET('/assets/{assetId}', { params: { path: { assetId } } }))];
  } catch (error) {
    if (missingAsset(error)) return [];
    throw error;
  }
}

async function inGroups<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let next = 0; next < items.length; next += REQUESTS_AT_ONCE)
    results.push(...(await Promise.all(items.slice(next, next + REQUESTS_AT_ONCE).map(work))));
  return results;
}

async function assetsInSpans(library: Library, { spans, except }: Selection): Promise<Asset[]> {
  const found = new Map<string, Asset>();
  for (const span of spans)
    for (const asset of await assetsIn(library, span)) found.set(asset.assetId, asset);
  for (const id of except) found.delete(id);
  return [...found.values()];
}

async function assetsIn(library: Library, { start, end }: Span): Promise<Asset[]> {
  const offsets = Array.from(
    { length: Math.ceil((end - start + 1) / LOADED_AT_ONCE) },
    (_, step) => start + step * LOADED_AT_ONCE,
  );
  const api = apiFor(library.scope.basePath);
  const pages = await inGroups(offsets, (offset) =>
    fetchPage(api, library.listing, offset, Math.min(LOADED_AT_ONCE, end - offset + 1)),
  );
  return pages.flatMap(({ assets }) => assets.filter((asset) => asset !== null && asset !== undefined));
}
