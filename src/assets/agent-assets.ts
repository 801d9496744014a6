import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AssetsRepository } from './assets.repository.js';
import type { ClientScope } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';
import type { Asset, Surface } from '../database/entities/asset.entity.js';
import { Reads } from '../database/reads.js';
import { assetIdOf, assetIdsOf, type Refusal, refusalOf, requireSurface } from './surface-gate.rules.js';

/** The result for a ref: the asset, or why the agent cannot use it. */
export type ResolvedRef<T = Asset> =
  | { readonly assetRef: string; readonly ok: true; readonly asset: T }
  | ({ readonly assetRef: string; readonly ok: false } & Refusal);

type RefusedRef = Extract<ResolvedRef, { ok: false }>;

/**
 * Gets the assets that an agent names by their refs, and enforces the surfaces of each asset and of the API key. Only pick and the worker
 * that sends deliveries find assets in other ways, and check the surfaces themselves.
 */
@Injectable()
export class AgentAssets {
  constructor(
    private readonly assets: AssetsRepository,
    private readonly reads: Reads,
  ) {}

  /** Each ref in the order of the request, including duplicates. */
  async resolve(scope: ClientScope, refs: readonly string[], surface: Surface): Promise<ResolvedRef[]> {
    requireSurface(scope.actor, surface);
    const ids = assetIdsOf('assetRefs', refs);
    const assets = await this.reads.run(scope.clientId, 'light', (queries) =>
      this.assets.findMany(scope, ids, queries),
    );
    return resolved(refs, ids, assets, surface);
  }

  /** A single asset; throws `asset_not_found` or `surface_not_allowed`. */
  async get(scope: ClientScope, ref: string, surface: Surface): Promise<Asset> {
    requireSurface(scope.actor, surface);
    const id = assetIdOf('assetRef', ref);
    const asset = await this.assets.findById(scope, id);
    return requireAll(resolved([ref], [id], asset === null ? [] : [asset], surface))[0]!;
  }

  /**
   * Like `resolve`, for a change that depends on the assets: until the transaction ends, nobody can trash them or change their surfaces.
   * The caller must take the folder lock first.
   */
  async hold(
    manager: EntityManager,
    scope: ClientScope,
    refs: readonly string[],
    surface: Surface,
  ): Promise<ResolvedRef[]> {
    requireSurface(scope.actor, surface);
    const ids = assetIdsOf('assetRefs', refs);
    return resolved(refs, ids, await this.assets.lock(scope, ids, manager), surface);
  }
}

/** Throws if any ref was rejected: with the code of the first, and a result for each. */
export function requireAll<T>(results: readonly ResolvedRef<T>[]): T[] {
  const refused = results.filter((result) => !result.ok);
  if (refused.length > 0) throw refusedRefs(refused);
  return results.flatMap((result) => (result.ok ? [result.asset] : []));
}

function refusedRefs(refused: readonly RefusedRef[]): Problem {
  const [first] = refused;
  const more = refused.length > 1 ? ` ${refused.length - 1} more cannot be used either.` : '';
  return new Problem(first!.code, `${first!.assetRef}: ${first!.detail}${more}`, {
    extra: { results: refused },
  });
}

function resolved<T extends Pick<Asset, 'id' | 'allowedSurfaces'>>(
  refs: readonly string[],
  ids: readonly string[],
  found: readonly T[],
  surface: Surface,
): ResolvedRef<T>[] {
  const byId = new Map(found.map((asset) => [asset.id, asset]));
  return refs.map((assetRef, index) => {
    const asset = byId.get(ids[index]!);
    const refusal = refusalOf(asset, surface);
    return refusal === null ? { assetRef, ok: true, asset: asset! } : { assetRef, ok: false, ...refusal };
  });
}
