import type { Target } from '../../admin/targets/targets-query';
import { type Surface, SURFACES } from '../../api/values';
import type { Asset } from '../../library/asset-types';
import { surfacesIn } from '../../library/surface-choice';

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

/** For several assets, the resized copy is only meant where the file exceeds a limit. */
export function renditionOf(
  assets: readonly Asset[],
  asset: Asset,
  surface: Surface,
  chosen: Rendition,
): Rendition {
  return assets.length === 1 || chosen === 'original' ? chosen : likelyRendition(asset, surface);
}

/** Those that may be delivered for the surface, and the others. */
export function bySurface(assets: readonly Asset[], surface: Surface): { going: Asset[]; staying: Asset[] } {
  const isAllowed = ({ allowedSurfaces }: Asset) => surfacesIn(allowedSurfaces).includes(surface);
  return {
    going: assets.filter(isAllowed),
    staying: assets.filter((asset) => !isAllowed(asset)),
  };
}

/** Whether a channel of the surface may refuse the file, by the limits that the details list. */
export function mayBeRefused(asset: Asset, surface: Surface, rendition: Rendition): boolean {
  const verdict = asset.fitness[surface]?.verdict ?? 'ready';
  return verdict === 'blocked' || (verdict === 'fixable' && rendition === 'original');
}

const MAX_TITLES = 5;

/** Some of the titles, for a note. */
export function titlesOf(assets: readonly Asset[]): string {
  const titles = assets.slice(0, MAX_TITLES).map(({ title }) => title);
  return [...titles, ...(assets.length > MAX_TITLES ? ['…'] : [])].join(', ');
}
