import { useCallback, useRef, useState } from 'react';
import { apiFor, body } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { useTranslations } from '../../i18n';
import { useProblemToast } from '../../ui/use-problem-toast';
import type { Asset, AssetChange } from '../../library/asset-types';
import type { LibraryCache } from '../../library/library-cache';
import type { Library } from '../../library/use-library';

/** Someone else changed the same field: both texts, for the user to choose from. */
export interface EditConflict {
  readonly theirs: Asset;
  readonly change: AssetChange;
}

type Field = keyof AssetChange;

/** A change, or how to derive it from the asset as it is shown, with every edit before. */
export type EditOf = AssetChange | ((shown: Asset) => AssetChange);

/** The edits of one asset that have not been saved yet, the oldest first, and the asset without them. */
interface Edits {
  saved: Asset;
  readonly unsaved: AssetChange[];
  last: Promise<unknown>;
}

/** Shows an edit everywhere immediately and reverts it if the API rejects it. Edits of one asset run one after the other. */
export function useEditAsset({ scope, cache }: Library) {
  const t = useTranslations('assets');
  const problemToast = useProblemToast();
  const [conflict, setConflict] = useState<EditConflict | null>(null);
  const running = useRef(new Map<string, Edits>());

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

  /** A change of another field is not a conflict: ours is applied on top of it. */
  const sendMerging = useCallback(
    async (known: Asset, change: AssetChange): Promise<Asset> => {
      const { assetId } = known;
      try {
        return await send(assetId, change, known.version);
      } catch (error) {
        if (!(error instanceof ApiProblem) || error.code !== 'version_mismatch') throw error;
        const path = { assetId };
        const theirs = await body(apiFor(scope.basePath).GET('/assets/{assetId}', { params: { path } }));
        const isSame = (Object.keys(change) as Field[]).every((field) => alike(theirs[field], known[field]));
        if (isSame) return send(assetId, change, theirs.version);
        throw new Conflict(theirs);
      }
    },
    [scope, send],
  );

  const save = useCallback(
    async (edits: Edits, change: AssetChange): Promise<boolean> => {
      try {
        edits.saved = await sendMerging(edits.saved, change);
        if ('tags' in change) void cache.refetch('tags');
        return true;
      } catch (error) {
        if (error instanceof Conflict) {
          edits.saved = error.theirs;
          setConflict({ theirs: error.theirs, change });
        } else problemToast(error, t('edit.failed'));
        return false;
      } finally {
        edits.unsaved.shift();
        show(cache, edits);
      }
    },
    [cache, problemToast, sendMerging, t],
  );

  const edit = useCallback(
    (asset: Asset, editOf: EditOf): Promise<boolean> => {
      const { assetId } = asset;
      const edits = running.current.get(assetId) ?? {
        saved: newest(asset, cache.find(assetId)),
        unsaved: [],
        last: Promise.resolve(),
      };
      running.current.set(assetId, edits);
      const change = typeof editOf === 'function' ? editOf(shownOf(edits)) : editOf;
      edits.unsaved.push(change);
      void cache.stopFetching().then(() => show(cache, edits));
      const done = edits.last.then(() => save(edits, change));
      edits.last = done.finally(() => {
        if (edits.unsaved.length === 0) running.current.delete(assetId);
      });
      return done;
    },
    [cache, save],
  );

  const keepMine = useCallback(() => {
    if (!conflict) return;
    setConflict(null);
    void edit(conflict.theirs, conflict.change);
  }, [conflict, edit]);

  return { edit, conflict, keepMine, keepTheirs: useCallback(() => setConflict(null), []) };
}

/** A list that is not shown is not kept current. */
function newest(asset: Asset, other: Asset | undefined): Asset {
  return other && other.version > asset.version ? other : asset;
}

function shownOf({ saved, unsaved }: Edits): Asset {
  return Object.assign({}, saved, ...unsaved) as Asset;
}

function show(cache: LibraryCache, edits: Edits): void {
  cache.changeAssets(new Set([edits.saved.assetId]), () => shownOf(edits));
}

class Conflict extends Error {
  constructor(readonly theirs: Asset) {
    super('The asset was changed by somebody else');
  }
}

function alike(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
