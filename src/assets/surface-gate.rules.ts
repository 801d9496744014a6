import { parseAssetRef } from '../common/asset-ref.js';
import type { Surface } from '../database/entities/asset.entity.js';
import type { Principal } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';

/** Why an agent cannot use an asset. */
export interface Refusal {
  readonly code: 'asset_not_found' | 'surface_not_allowed';
  readonly detail: string;
}

/** Whether the caller may use the surface and see what was recorded for it. Only API keys can be limited to some surfaces. */
export function hasSurface({ surfaces }: Pick<Principal, 'surfaces'>, surface: Surface): boolean {
  return surfaces === null || surfaces.includes(surface);
}

/** For requests that name a surface. Records of other surfaces do not exist for the caller: `visibleTo`. */
export function requireSurface(actor: Pick<Principal, 'surfaces'>, surface: Surface): void {
  if (hasSurface(actor, surface)) return;
  const surfaces = actor.surfaces!;
  throw new Problem(
    'surface_not_allowed',
    `This API key is limited to ${surfaces.join(', ')} and cannot use assets for ${surface}.`,
    { extra: { surface, keySurfaces: surfaces } },
  );
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
