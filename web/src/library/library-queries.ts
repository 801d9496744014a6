import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type SideApi, body } from '../api/client';
import type { Scope } from '../scope/scope';
import { apiFor } from '../api/client';
import { PAGE_SIZE } from './asset-pages';
import type { Asset, LibraryPage } from './asset-types';
import { type Listing, queryOf } from './library-search';

/** A page in the cache. Positions can be empty after a change that is not confirmed yet. */
export interface CachedPage extends Omit<LibraryPage, 'assets'> {
  readonly assets: readonly (Asset | undefined)[];
}

const KEPT_UNUSED_MS = 5 * 60_000;

export function listingKey(basePath: string, listing: Listing) {
  return [basePath, 'assets', listing] as const;
}

export function pageQuery(scope: Pick<Scope, 'basePath'>, listing: Listing, page: number) {
  return queryOptions({
    queryKey: [...listingKey(scope.basePath, listing), page] as const,
    queryFn: ({ signal }) => fetchPage(apiFor(scope.basePath), listing, page * PAGE_SIZE, PAGE_SIZE, signal),
    gcTime: KEPT_UNUSED_MS,
  });
}

/** The first page also contains the path, the subfolders and the total number of assets. */
export function firstPageQuery(scope: Scope, listing: Listing) {
  return { ...pageQuery(scope, listing, 0), placeholderData: keepPreviousData<CachedPage> };
}

export async function fetchPage(
  api: SideApi,
  listing: Listing,
  offset: number,
  limit: number,
  signal?: AbortSignal,
): Promise<CachedPage> {
  const query = { ...queryOf(listing), limit, ...(offset > 0 ? { offset } : {}) };
  return body(api.GET('/assets', { params: { query }, signal }));
}

export function foldersQuery(scope: Pick<Scope, 'basePath'>) {
  return queryOptions({
    queryKey: [scope.basePath, 'folders'] as const,
    queryFn: ({ signal }) => body(apiFor(scope.basePath).GET('/assets/folders', { signal })),
  });
}

export function tagsQuery(scope: Scope) {
  return queryOptions({
    queryKey: [scope.basePath, 'tags'] as const,
    queryFn: async ({ signal }) => (await body(apiFor(scope.basePath).GET('/assets/tags', { signal }))).tags,
    staleTime: 60_000,
  });
}

/** Who uploaded the assets of the library. */
export function creatorsQuery(scope: Scope) {
  return queryOptions({
    queryKey: [scope.basePath, 'creators'] as const,
    queryFn: async ({ signal }) =>
      (await body(apiFor(scope.basePath).GET('/assets/creators', { signal }))).creators,
    staleTime: 60_000,
  });
}

/** How many assets a listing has. */
export function countQuery(scope: Scope, listing: Listing) {
  return queryOptions({
    queryKey: [scope.basePath, 'count', listing] as const,
    queryFn: ({ signal }) => fetchPage(apiFor(scope.basePath), listing, 0, 1, signal),
    staleTime: 15_000,
  });
}

/** May show the asset as it was in a list. */
export function assetQuery(scope: Scope, assetId: string) {
  return queryOptions({
    queryKey: [scope.basePath, 'asset', assetId] as const,
    queryFn: ({ signal }): Promise<Asset> => readAsset(scope, assetId, signal),
  });
}

/** With the reasons of its fitness, which lists omit. */
export function recordQuery(scope: Scope, assetId: string) {
  return queryOptions({
    queryKey: [scope.basePath, 'asset', assetId, 'record'] as const,
    queryFn: ({ signal }) => readAsset(scope, assetId, signal),
  });
}

function readAsset(scope: Scope, assetId: string, signal: AbortSignal) {
  return body(apiFor(scope.basePath).GET('/assets/{assetId}', { params: { path: { assetId } }, signal }));
}

export function usagesQuery(scope: Scope, assetId: string) {
  return queryOptions({
    queryKey: [scope.basePath, 'asset', assetId, 'usages'] as const,
    queryFn: ({ signal }) =>
      body(
        apiFor(scope.basePath).GET('/assets/{assetId}/usages', {
          params: { path: { assetId }, query: { limit: 50 } },
          signal,
        }),
      ),
  });
}

export function fitnessQuery(scope: Scope, assetId: string) {
  return queryOptions({
    queryKey: [scope.basePath, 'asset', assetId, 'fitness'] as const,
    queryFn: ({ signal }) =>
      body(
        apiFor(scope.basePath).GET('/assets/{assetId}/fitness', { params: { path: { assetId } }, signal }),
      ),
    staleTime: 5 * 60_000,
  });
}
