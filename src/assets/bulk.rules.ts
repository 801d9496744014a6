import { parseAssetId } from '../common/asset-ref.js';
import type { ProblemCode } from '../common/errors/catalogue.js';
import { Problem } from '../common/errors/problem.js';
import type { Limits } from '../config/limits.js';
import type { Asset } from '../database/entities/asset.entity.js';
import type { AssetChange } from './assets.repository.js';

/** Why an action cannot be applied to one of the assets. */
export interface Fault {
  readonly code: ProblemCode;
  readonly detail?: string;
}

export type BulkResult = { readonly assetId: string; readonly ok: boolean } & Partial<Fault>;

/** The result for each id or ref, in their order. `byId` contains the assets that exist. */
export function resultsOf(
  idsOrRefs: readonly string[],
  byId: ReadonlyMap<string, Asset>,
  faultOf: (asset: Asset) => Fault | null,
): BulkResult[] {
  return idsOrRefs.map((idOrRef) => {
    const id = parseAssetId(idOrRef);
    const asset = id === null ? undefined : byId.get(id);
    const fault = asset === undefined ? { code: 'asset_not_found' as const } : faultOf(asset);
    return { assetId: id ?? idOrRef, ok: fault === null, ...fault };
  });
}

export function requireAllOk(results: readonly BulkResult[], members: object = {}): void {
  if (results.some(({ ok }) => !ok))
    throw new Problem('bulk_failed', undefined, { extra: { results, ...members } });
}

export function tagsFault({ tags = [] }: AssetChange, limits: Pick<Limits, 'tags'>): Fault | null {
  if (tags.length <= limits.tags) return null;
  return { code: 'validation_failed', detail: `The asset would have more than ${limits.tags} tags.` };
}
