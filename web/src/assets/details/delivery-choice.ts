import type { Target } from '../../admin/targets/targets-query';
import { type Surface, SURFACES } from '../../api/values';
import type { Asset } from '../../library/asset-types';

// What the Deliver dialog preselects. The API accepts every target and every surface that the asset is allowed on.

export type Rendition = 'original' | 'fit';

/** The surfaces that a kind of target publishes to. */
const SURFACES_OF_KIND: Record<Target['kind'], readonly Surface[]> = {
  wordpress: ['website'],
  http: SURFACES,
};

/** One that works, if there is any. */
export function likelyTarget(targets: readonly Target[]): Target | undefined {
  const inState = (state: Target['state']) => targets.find((target) => target.state === state);
  return inState('connected') ?? inState('unverified') ?? targets[0];
}

export function likelySurface(kind: Target['kind'] | undefined, allowed: readonly Surface[]): Surface {
  const surfaces = kind ? SURFACES_OF_KIND[kind] : SURFACES;
  return surfaces.find((surface) => allowed.includes(surface)) ?? allowed[0] ?? 'website';
}

/** The file that the details promise for the surface. */
export function likelyRendition(asset: Asset, surface: Surface): Rendition {
  return asset.fitness[surface]?.fix ?? 'original';
}

/** Whether a channel of the surface may refuse the file, by the limits that the details list. */
export function mayBeRefused(asset: Asset, surface: Surface, rendition: Rendition): boolean {
  const verdict = asset.fitness[surface]?.verdict ?? 'ready';
  return verdict === 'blocked' || (verdict === 'fixable' && rendition === 'original');
}
