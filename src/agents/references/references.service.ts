import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { toAssetRef } from '../../common/asset-ref.js';
import { AuditService } from '../../audit/audit.service.js';
import type { ClientScope } from '../../access/principal.js';
import { Problem } from '../../common/errors/problem.js';
import { KeyedMutex } from '../../common/keyed-mutex.js';
import { Database } from '../../database/database.js';
import { REFERENCE_KINDS, SURFACE_OF_KIND, type Usage } from '../../database/entities/usage.entity.js';
import { FoldersRepository } from '../../folders/folders.repository.js';
import { EXTERNAL_ID_PATTERN, isReferenceKind, postIdOf } from '../../usages/usage.rules.js';
import { type NewUsage, UsagesRepository } from '../../usages/usages.repository.js';
import { AgentAssets, requireAll } from '../../assets/agent-assets.js';
import { assetIdOf, assetIdsOf, requireSurface } from '../../assets/surface-gate.rules.js';
import type { Reference, ReferenceKey } from './reference.js';
import type { PutReferenceDto } from './references.dto.js';

@Injectable()
export class ReferencesService {
  private readonly changes = new KeyedMutex();

  constructor(
    private readonly database: Database,
    private readonly assets: AgentAssets,
    private readonly usages: UsagesRepository,
    private readonly folders: FoldersRepository,
    private readonly audit: AuditService,
  ) {}

  async get(scope: ClientScope, kind: string, externalId: string): Promise<Reference> {
    const key = keyOf(kind, externalId);
    requireSurface(scope.actor, key.surface);
    const usages = await this.usages.findReference(scope, key.kind, key.externalId);
    if (usages.length === 0) throw new Problem('reference_not_found');
    const refs = usages.map(({ assetId }) => toAssetRef(assetId));
    const results = await this.assets.resolve(scope, refs, key.surface);
    return { ...key, uses: usages.map((usage, index) => ({ usage, result: results[index]! })) };
  }

  /** Replaces the whole set or nothing: every ref must be allowed on the surface. */
  async put(
    scope: ClientScope,
    kind: string,
    externalId: string,
    request: PutReferenceDto,
  ): Promise<Reference> {
    const key = keyOf(kind, externalId);
    const wanted = wantedUsages(key, request);
    const refs = wanted.map(({ assetId }) => toAssetRef(assetId));
    return this.change(scope, key, async (manager) => {
      const hold = () => this.assets.hold(manager, scope, refs, key.surface);
      const before = await this.usages.findReference(scope, key.kind, key.externalId, manager);
      await this.usages.lockAssets(scope, [...before, ...wanted], manager);
      requireAll(await hold());
      const usages = isSame(before, wanted)
        ? before
        : await this.replace(manager, scope, key, before, wanted);
      // Loaded again, because each asset counts its usages.
      const results = await hold();
      return { ...key, uses: usages.map((usage, index) => ({ usage, result: results[index]! })) };
    });
  }

  async delete(scope: ClientScope, kind: string, externalId: string): Promise<void> {
    const key = keyOf(kind, externalId);
    await this.change(scope, key, async (manager) => {
      requireSurface(scope.actor, key.surface);
      const before = await this.usages.findReference(scope, key.kind, key.externalId, manager);
      if (before.length === 0) throw new Problem('reference_not_found');
      await this.replace(manager, scope, key, before, []);
    });
  }

  /**
   * Changes of one reference are serialized; those of this process queue before they take a connection. The folder lock is taken first, as
   * by everything that locks assets.
   */
  private change<T>(
    scope: ClientScope,
    { kind, externalId }: ReferenceKey,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    return this.changes.run(JSON.stringify([scope.clientId, kind, externalId]), () =>
      this.database.transaction(async (manager) => {
        await this.folders.lockShared(scope, manager);
        await this.usages.lockReference(scope, kind, externalId, manager);
        return work(manager);
      }),
    );
  }

  /** Unchanged usages keep their id and their time. */
  private async replace(
    manager: EntityManager,
    scope: ClientScope,
    { kind, externalId }: ReferenceKey,
    before: readonly Usage[],
    wanted: readonly NewUsage[],
  ): Promise<Usage[]> {
    const gone = before.filter((usage) => !wanted.some((each) => isSameUse(each, usage)));
    await this.usages.delete(
      scope,
      gone.map(({ id }) => id),
      manager,
    );
    const usages = wanted.length === 0 ? [] : await this.usages.put(scope, wanted, manager);
    const postId = wanted[0]?.postId ?? null;
    if (postId !== null) await this.usages.matchByAddress(scope, { externalId, postId }, manager);
    await this.audit.record(manager, {
      ...scope,
      action: wanted.length === 0 ? 'reference.delete' : 'reference.set',
      subject: ['reference', `${kind}/${externalId}`],
      ...(before.length > 0 ? { before: auditable(before) } : {}),
      ...(wanted.length > 0 ? { after: auditable(wanted) } : {}),
    });
    return usages;
  }
}

function keyOf(kind: string, externalId: string): ReferenceKey {
  if (!isReferenceKind(kind))
    throw Problem.validation('kind', `kind must be one of: ${REFERENCE_KINDS.join(', ')}`);
  if (!EXTERNAL_ID_PATTERN.test(externalId))
    throw Problem.validation(
      'externalId',
      'externalId must be 1–200 letters, digits or . _ : ~ - and begin with a letter or digit',
    );
  return { kind, externalId, surface: SURFACE_OF_KIND[kind] };
}

/** The featured asset first. An asset can be both featured and attached. */
function wantedUsages(key: ReferenceKey, request: PutReferenceDto): NewUsage[] {
  const { featuredAssetRef, assetRefs, title = null, url = null } = request;
  const featured = featuredAssetRef == null ? [] : [assetIdOf('featuredAssetRef', featuredAssetRef)];
  const attached = [...new Set(assetIdsOf('assetRefs', assetRefs ?? []))];
  if (featured.length + attached.length === 0)
    throw Problem.validation(
      'assetRefs',
      'featuredAssetRef or assetRefs must name an asset; DELETE removes the reference',
    );
  const toUsage = (role: 'featured' | 'attached') => (assetId: string, position: number) => ({
    ...key,
    assetId,
    role,
    position,
    title,
    url,
    postId: key.kind === 'social_post' && url !== null ? postIdOf(url) : null,
  });
  return [...featured.map(toUsage('featured')), ...attached.map(toUsage('attached'))];
}

function isSameUse(
  one: Pick<NewUsage, 'assetId' | 'role'>,
  other: Pick<NewUsage, 'assetId' | 'role'>,
): boolean {
  return one.assetId === other.assetId && one.role === other.role;
}

function isSame(before: readonly Usage[], wanted: readonly NewUsage[]): boolean {
  return (
    before.length === wanted.length &&
    wanted.every((usage, index) => {
      const there = before[index]!;
      return isSameUse(usage, there) && usage.title === there.title && usage.url === there.url;
    })
  );
}

function auditable(usages: readonly NewUsage[]): Record<string, unknown> {
  const refsOf = (role: NewUsage['role']) =>
    usages.filter((usage) => usage.role === role).map(({ assetId }) => toAssetRef(assetId));
  return {
    featuredAssetRef: refsOf('featured')[0] ?? null,
    assetRefs: refsOf('attached'),
    title: usages[0]!.title,
    url: usages[0]!.url,
  };
}
