import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from 'typeorm';
import type { ClientScope } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import { parseAssetId } from '../common/asset-ref.js';
import { Problem } from '../common/errors/problem.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { Database } from '../database/database.js';
import { type Asset, SURFACES } from '../database/entities/asset.entity.js';
import { FoldersRepository } from '../folders/folders.repository.js';
import { type AssetChange, AssetsRepository } from './assets.repository.js';
import type { AssetUpdateDto, BulkDto } from './bulk.dto.js';
import { type BulkResult, type Fault, requireAllOk, resultsOf, tagsFault } from './bulk.rules.js';
import { parseTitlePattern, titleFault, titleOf } from './title-pattern.rules.js';

export type EditResult = BulkResult & {
  readonly version?: number;
  readonly before?: AssetChange;
  readonly title?: string;
};

/** What an edit makes of one asset: only the fields that differ. */
interface Edited {
  readonly asset: Asset;
  readonly change: AssetChange;
}

/** Edits the texts, tags and surfaces of many assets, all or nothing. Assets that already are as wanted keep their version. */
@Injectable()
export class AssetEditsService {
  constructor(
    private readonly database: Database,
    private readonly assets: AssetsRepository,
    private readonly folders: FoldersRepository,
    private readonly audit: AuditService,
    @InjectConfig() private readonly config: Config,
  ) {}

  /** Applies the same edit to all of them. */
  async edit(scope: ClientScope, request: BulkDto): Promise<EditResult[]> {
    requireEdit(request);
    const ids = distinctIds(request.assetIds);
    const changeOf = changeMaker(request, ids);
    const { limits } = this.config;
    const faultOf = (asset: Asset): Fault | null => {
      const change = changeOf(asset);
      const detail = change.title === undefined ? null : titleFault(change.title, limits.titleLength);
      return detail === null ? tagsFault(change, limits) : { code: 'validation_failed', detail };
    };
    if (request.dryRun) {
      const byId = mapById(await this.assets.findMany(scope, ids));
      return resultsOf(request.assetIds, byId, faultOf).map((result) => {
        const asset = byId.get(result.assetId);
        return asset === undefined ? result : { ...result, title: changeOf(asset).title ?? asset.title };
      });
    }
    return this.apply(scope, request.assetIds, faultOf, changeOf);
  }

  /** Applies to each of them a change of its own. */
  async update(scope: ClientScope, updates: readonly AssetUpdateDto[]): Promise<EditResult[]> {
    const assetIds = updates.map(({ assetId }) => assetId);
    const byId = new Map(updates.map((update) => [parseAssetId(update.assetId) ?? update.assetId, update]));
    if (byId.size < updates.length) throw Problem.validation('assets', 'assets must contain each asset once');
    const faultOf = ({ id, version }: Asset): Fault | null => {
      const expected = byId.get(id)!.version ?? version;
      if (expected === version) return null;
      return { code: 'version_mismatch', detail: `The asset is at version ${version}.` };
    };
    const changeOf = ({ id }: Asset): AssetChange => {
      const { title, description, altText, tags, allowedSurfaces } = byId.get(id)!;
      return { title, description, altText, tags, allowedSurfaces: inOrder(allowedSurfaces) };
    };
    return this.apply(scope, assetIds, faultOf, changeOf);
  }

  private async apply(
    scope: ClientScope,
    assetIds: readonly string[],
    faultOf: (asset: Asset) => Fault | null,
    changeOf: (asset: Asset) => AssetChange,
  ): Promise<EditResult[]> {
    return this.database.transaction(async (manager) => {
      await this.folders.lockShared(scope, manager);
      const locked = mapById(await this.assets.lock(scope, distinctIds(assetIds), manager));
      const results = resultsOf(assetIds, locked, faultOf);
      requireAllOk(results);
      const edited = [...locked.values()]
        .map((asset): Edited => ({ asset, change: differing(asset, changeOf(asset)) }))
        .filter(({ change }) => Object.keys(change).length > 0);
      await this.write(scope, edited, manager);
      const changes = new Map(edited.map(({ asset, change }) => [asset.id, change]));
      return results.map((result) => {
        const asset = locked.get(result.assetId)!;
        const change = changes.get(asset.id);
        return {
          ...result,
          version: asset.version + (change === undefined ? 0 : 1),
          before: change === undefined ? {} : pick(asset, change),
        };
      });
    });
  }

  private async write(scope: ClientScope, edited: readonly Edited[], manager: EntityManager): Promise<void> {
    // One statement writes the same fields of all of them.
    const fields = edited.reduce<AssetChange>((all, { change }) => ({ ...all, ...change }), {});
    const changes = new Map(
      edited.map(({ asset, change }) => [asset.id, { ...pick(asset, fields), ...change }]),
    );
    const assets = edited.map(({ asset }) => asset);
    await this.assets.update(scope, assets, ({ id }) => changes.get(id)!, manager);
    await this.audit.recordAll(
      manager,
      edited.map(({ asset, change }) => ({
        ...scope,
        action: 'asset.update',
        subject: ['asset', asset.id],
        before: { ...pick(asset, change) },
        after: { ...change },
      })),
    );
  }
}

/** What the edit makes of each asset. Numbers follow the order of the ids. */
function changeMaker(request: BulkDto, ids: readonly string[]): (asset: Asset) => AssetChange {
  const { titlePattern, startAt = 1, altText, description, onlyEmpty } = request;
  const { addTags = [], removeTags = [] } = request;
  const hasTags = addTags.length + removeTags.length > 0;
  const pattern = titlePattern === undefined ? null : parseTitlePattern(titlePattern);
  const numbers = new Map(ids.map((id, index) => [id, startAt + index]));
  const text = (field: 'altText' | 'description', asset: Asset) =>
    onlyEmpty && asset[field] !== '' ? undefined : { altText, description }[field];
  return (asset) => ({
    title: pattern === null ? undefined : titleOf(pattern, asset, numbers.get(asset.id)!),
    altText: text('altText', asset),
    description: text('description', asset),
    tags: hasTags
      ? [...new Set([...asset.tags.filter((tag) => !removeTags.includes(tag)), ...addTags])]
      : undefined,
    allowedSurfaces: inOrder(request.allowedSurfaces),
  });
}

function requireEdit(request: BulkDto): void {
  const { titlePattern, altText, description, addTags = [], removeTags = [], allowedSurfaces } = request;
  if (request.tags !== undefined)
    throw Problem.validation('tags', 'tags is not possible for edit; use addTags or removeTags');
  const both = addTags.find((tag) => removeTags.includes(tag));
  if (both !== undefined)
    throw Problem.validation('removeTags', `removeTags contains "${both}", as addTags does`);
  const isEmpty = [titlePattern, altText, description, allowedSurfaces].every((value) => value === undefined);
  if (isEmpty && addTags.length + removeTags.length === 0) {
    throw Problem.validation(
      'action',
      'edit requires titlePattern, altText, description, addTags, removeTags or allowedSurfaces',
    );
  }
}

function distinctIds(idsOrRefs: readonly string[]): string[] {
  return [...new Set(idsOrRefs.map(parseAssetId).filter((id) => id !== null))];
}

function mapById(assets: readonly Asset[]): Map<string, Asset> {
  return new Map(assets.map((asset) => [asset.id, asset]));
}

function inOrder(surfaces: AssetChange['allowedSurfaces']): AssetChange['allowedSurfaces'] {
  return surfaces && SURFACES.filter((surface) => surfaces.includes(surface));
}

/** The fields of the change that are given and new. */
function differing(asset: Asset, change: AssetChange): AssetChange {
  const given = Object.entries(change) as [keyof AssetChange, unknown][];
  return Object.fromEntries(
    given.filter(([field, value]) => value !== undefined && !isDeepStrictEqual(value, asset[field])),
  );
}

/** The values that the asset has in the fields of the change. */
function pick(asset: Asset, change: AssetChange): AssetChange {
  return Object.fromEntries(Object.keys(change).map((field) => [field, asset[field as keyof AssetChange]]));
}
