import { useCallback, useRef, useState } from 'react';
import { apiFor, body } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { useTranslations } from '../../i18n';
import { useProblemToast } from '../../ui/use-problem-toast';
import type { Asset, AssetChange } from '../library/asset-types';
import type { Library } from '../library/use-library';

/** Someone else changed the same field: both texts, for the user to choose from. */
export interface EditConflict {
  readonly theirs: Asset;
  readonly change: AssetChange;
}

type Field = keyof AssetChange;

/** Shows an edit everywhere immediately and reverts it if the API rejects it. Edits of one asset run one after the other. */
export function useEditAsset({ scope, cache }: Library) {
  const t = useTranslations('assets');
  const problemToast = useProblemToast();
  const [conflict, setConflict] = useState<EditConflict | null>(null);
  const running = useRef(new Map<string, Promise<unknown>>());

  const send = useCallback(
    async (assetId: string, change: AssetChange, version: number) =>
      body(
        apiFor(scope.basePath).PATCH('/assets/{assetId}', {
          params: { path: { assetId }, header: { 'If-Match': `"${version}"` } },
          body: change,
        }),
      ),
    [scope],
  );

  const editNow = useCallback(
    async (base: Asset, change: AssetChange): Promise<boolean> => {
      const { assetId } = base;
      const only = new Set([assetId]);
      const current = cache.find(assetId) ?? base;
      await cache.stopFetching();
      const restore = cache.snapshot();
      cache.changeAssets(only, (asset) => ({ ...asset, ...change }));
      try {
        const saved = await sendMerging(current);
        cache.changeAssets(only, () => saved);
        if ('tags' in change) void cache.refetch('tags');
        return true;
      } catch (error) {
        restore();
        if (error instanceof Conflict) {
          cache.changeAssets(only, () => error.theirs);
          setConflict({ theirs: error.theirs, change });
        } else problemToast(error, t('edit.failed'));
        return false;
      }

      /** A change of another field is not a conflict: ours is applied on top of it. */
      async function sendMerging(known: Asset): Promise<Asset> {
        try {
          return await send(assetId, change, known.version);
        } catch (error) {
          if (!(error instanceof ApiProblem) || error.code !== 'version_mismatch') throw error;
          const path = { assetId };
          const theirs = await body(apiFor(scope.basePath).GET('/assets/{assetId}', { params: { path } }));
          const isSame = (Object.keys(change) as Field[]).every((field) =>
            alike(theirs[field], known[field]),
          );
          if (isSame) return send(assetId, change, theirs.version);
          throw new Conflict(theirs);
        }
      }
    },
    [cache, problemToast, scope, send, t],
  );

  const edit = useCallback(
    (asset: Asset, change: AssetChange): Promise<boolean> => {
      const before = running.current.get(asset.assetId) ?? Promise.resolve();
      const done = before.then(() => editNow(asset, change));
      running.current.set(asset.assetId, done);
      void done.finally(() => {
        if (running.current.get(asset.assetId) === done) running.current.delete(asset.assetId);
      });
      return done;
    },
    [editNow],
  );

  const keepMine = useCallback(() => {
    if (!conflict) return;
    setConflict(null);
    void edit(conflict.theirs, conflict.change);
  }, [conflict, edit]);

  return { edit, conflict, keepMine, keepTheirs: useCallback(() => setConflict(null), []) };
}

class Conflict extends Error {
  constructor(readonly theirs: Asset) {
    super('The asset was changed by somebody else');
  }
}

function alike(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
