import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Permission, effectivePermissions } from '../access/permissions.js';
import type { ClientScope } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';
import { AssetUsageDto } from './usages.dto.js';
import { type AssetsOrFolders, UsagesRepository } from './usages.repository.js';

const SHOWN = 20;

/**
 * Keeps assets that are used by a reference out of the trash, unless the caller forces it and has the permission. The caller has locked the
 * assets or the folder structure: a reference that is being recorded waits for that lock.
 */
@Injectable()
export class AssetsInUse {
  constructor(private readonly usages: UsagesRepository) {}

  async rejectInUse(
    manager: EntityManager,
    scope: ClientScope,
    place: AssetsOrFolders,
    force: boolean,
  ): Promise<void> {
    if (force) return requireForce(scope);
    const { count, ...problem } = await this.describe(manager, scope, place);
    if (count === 0) return;
    const places = count === 1 ? '1 place' : `${count} places`;
    const remedy = mayForce(scope)
      ? 'Remove these references first, or repeat the request with force=true'
      : 'Remove these references first';
    throw new Problem('asset_in_use', `It is used in ${places}. ${remedy}.`, {
      extra: { ...problem, usageCount: count },
    });
  }

  /** The assets that must not be trashed, with members for the problem. */
  async find(
    manager: EntityManager,
    scope: ClientScope,
    assetIds: readonly string[],
    force: boolean,
  ): Promise<{ used: ReadonlySet<string>; members: Record<string, unknown> }> {
    if (force) requireForce(scope);
    const used = force ? new Set<string>() : await this.usages.findUsed(scope, assetIds, manager);
    if (used.size === 0) return { used, members: {} };
    const { count, usages } = await this.describe(manager, scope, { assetIds: [...used] });
    return { used, members: { usages, usageCount: count } };
  }

  private async describe(manager: EntityManager, scope: ClientScope, place: AssetsOrFolders) {
    const { usages, count } = await this.usages.findLive(scope, place, SHOWN, manager);
    return { count, usages: usages.map((usage) => AssetUsageDto.from(usage)) };
  }
}

const FORCE: Permission = 'assets:trash-used';

function mayForce({ actor }: ClientScope): boolean {
  return effectivePermissions(actor).has(FORCE);
}

function requireForce(scope: ClientScope): void {
  if (mayForce(scope)) return;
  throw new Problem('permission_denied', `force=true requires the permission ${FORCE}.`, {
    extra: { permission: FORCE },
  });
}
