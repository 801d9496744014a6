import { parseAssetRef } from '../common/asset-ref.js';
import { type Surface, SURFACES } from '../database/entities/asset.entity.js';
import type { Principal } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';

/** Why an agent cannot use an asset. */
export interface Refusal {
  readonly code: 'asset_not_found' | 'surface_not_allowed';
  readonly detail: string;
}

/** Whether the caller may use the surface and see what was recorded for it. Only API keys and pickers can be limited to some surfaces. */
export function hasSurface({ surfaces }: Pick<Principal, 'surfaces'>, surface: Surface): boolean {
  return surfaces === null || surfaces.includes(surface);
}

/** For requests that name a surface. Records of other surfaces do not exist for the caller: `visibleTo`. */
export function requireSurface(actor: Pick<Principal, 'surfaces' | 'picker'>, surface: Surface): void {
  if (hasSurface(actor, surface)) return;
  const surfaces = actor.surfaces!;
  throw new Problem(
    'surface_not_allowed',
    `This ${actor.picker ? 'picker' : 'API key'} is limited to ${surfaces.join(', ')} and cannot use assets for ${surface}.`,
    { extra: { surface, keySurfaces: surfaces } },
  );
}

/** The surface by which to filter a list: a picker only sees the assets of its own. */
export function listedSurface(
  actor: Pick<Principal, 'surfaces' | 'picker'>,
  requested: Surface | undefined,
): Surface | undefined {
  if (requested !== undefined) requireSurface(actor, requested);
  return requested ?? actor.surfaces?.[0];
}

/** The surfaces of a new asset, in their usual order. None means all; who is limited to some allows only those. */
export function surfacesOfNew(
  actor: Pick<Principal, 'surfaces' | 'picker'>,
  requested: readonly Surface[] = [],
): Surface[] {
  for (const surface of requested) requireSurface(actor, surface);
  const surfaces = requested.length > 0 ? requested : (actor.surfaces ?? []);
  return SURFACES.filter((surface) => surfaces.includes(surface));
}

/** An asset that is allowed on none of the caller's surfaces does not exist for them. */
export function requireVisible(
  { surfaces }: Pick<Principal, 'surfaces'>,
  { allowedSurfaces }: { readonly allowedSurfaces: readonly Surface[] },
): void {
  if (surfaces === null || allowedSurfaces.length === 0) return;
  if (!allowedSurfaces.some((surface) => surfaces.includes(surface))) throw new Problem('asset_not_found');
}

/** Why the asset cannot be used on the surface, or null. Undefined means that the client has no such live asset. */
export function refusalOf(
  asset: { readonly allowedSurfaces: readonly Surface[] } | undefined,
  surface: Surface,
): Refusal | null {
  if (asset === undefined)
    return {
      code: 'asset_not_found',
      detail: 'The client has no such asset. It may be in the trash or belong to another client.',
    };
  const { allowedSurfaces } = asset;
  if (allowedSurfaces.length === 0 || allowedSurfaces.includes(surface)) return null;
  return {
    code: 'surface_not_allowed',
    detail: `The asset is not allowed on ${surface}, only on ${allowedSurfaces.join(', ')}.`,
  };
}

/** The ids of a list of refs. `path` names the list in the request. */
export function assetIdsOf(path: string, refs: readonly unknown[]): string[] {
  const ids = refs.map((ref) => parseAssetRef(ref));
  const errors = ids.flatMap((id, index) =>
    id === null ? [{ path: `${path}[${index}]`, message: MALFORMED }] : [],
  );
  if (errors.length === 0) return ids as string[];
  const more = errors.length > 1 ? `; and ${errors.length - 1} more` : '';
  throw new Problem('validation_failed', `${errors[0]!.path} ${MALFORMED}${more}`, { errors });
}

/** The id of a single ref. */
export function assetIdOf(path: string, ref: unknown): string {
  const id = parseAssetRef(ref);
  if (id === null) throw Problem.validation(path, MALFORMED);
  return id;
}

const MALFORMED = 'must be an assetRef in lower case, such as asset_01h455vb4pex5vsknk084sn02q';
