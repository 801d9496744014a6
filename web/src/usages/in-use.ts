import { useCallback, useState } from 'react';
import { ApiProblem } from '../api/problem';
import type { Places, Usage } from '../library/asset-types';

/** References use some of the assets or folders to be trashed. */
export interface InUse {
  readonly usages: readonly Usage[];
  readonly usageCount: number;
  /** The assets that no reference uses, which can be trashed without confirmation. */
  readonly others: Places | null;
  force: () => void;
}

/** The usages in the problem; null if it is a different problem. */
export function inUseOf(error: unknown, places: Places | null): Omit<InUse, 'force'> | null {
  if (!(error instanceof ApiProblem)) return null;
  const {
    usages = [],
    usageCount,
    results = [],
  } = error.document as {
    usages?: Usage[];
    usageCount?: number;
    results?: { assetId: string; ok: boolean; code?: string }[];
  };
  const used = new Set(results.filter(({ code }) => code === 'asset_in_use').map(({ assetId }) => assetId));
  if (error.code !== 'asset_in_use' && used.size === 0) return null;
  const others = places && new Map([...places].filter(([id]) => !used.has(id)));
  return {
    usages,
    usageCount: usageCount ?? usages.length,
    others: others && others.size > 0 ? others : null,
  };
}

export function useInUse() {
  const [inUse, setInUse] = useState<InUse | null>(null);
  return { inUse, setInUse, close: useCallback(() => setInUse(null), []) };
}
