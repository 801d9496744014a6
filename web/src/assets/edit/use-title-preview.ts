import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiFor } from '../../api/client';
import type { Asset } from '../../library/asset-types';
import { useScope } from '../../scope/scope';
import { type EditResult, tryEdit } from './edit-many';

/** While somebody types. */
const PAUSE_MS = 200;
const SHOWN_FIRST = 2;

export interface TitlePreview {
  readonly asset: Asset;
  readonly result: EditResult;
}

/** The first titles and the last one that a pattern makes, from the API, which knows the rules. */
export function useTitlePreview(assets: readonly Asset[], titlePattern: string, startAt: number) {
  const { basePath } = useScope();
  const ids = assets.map(({ assetId }) => assetId);
  // The number of the last one only depends on its position.
  const first = { assetIds: ids.slice(0, SHOWN_FIRST), edit: { titlePattern, startAt } };
  const last = {
    assetIds: ids.slice(SHOWN_FIRST).slice(-1),
    edit: { titlePattern, startAt: startAt + assets.length - 1 },
  };
  const slices = [first, last].filter(({ assetIds }) => assetIds.length > 0);
  return useQuery({
    queryKey: [basePath, 'titles', slices],
    queryFn: async ({ signal }): Promise<TitlePreview[]> => {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      signal.throwIfAborted();
      const results = await Promise.all(slices.map((slice) => tryEdit(apiFor(basePath), slice, signal)));
      return results.flat().flatMap((result) => {
        const asset = assets.find(({ assetId }) => assetId === result.assetId);
        return asset ? [{ asset, result }] : [];
      });
    },
    enabled: titlePattern.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
}
