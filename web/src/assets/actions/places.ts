import type { Places } from '../../library/asset-types';
import type { Library } from '../../library/use-library';

export function placesOf({ cache, listing }: Library, ids: Iterable<string>): Places {
  return new Map([...ids].map((id) => [id, cache.find(id)?.folderId ?? listing.folder ?? null]));
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
