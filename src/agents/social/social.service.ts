import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AssetsRepository } from '../../assets/assets.repository.js';
import { AuditService } from '../../audit/audit.service.js';
import type { ClientScope } from '../../access/principal.js';
import { Database } from '../../database/database.js';
import type { Asset } from '../../database/entities/asset.entity.js';
import type { Usage } from '../../database/entities/usage.entity.js';
import { pathOf } from '../../folders/folder-tree.rules.js';
import { FoldersRepository } from '../../folders/folders.repository.js';
import { isWithin, type PlacedFolder } from '../../folders/folders.service.js';
import { postIdOf } from '../../usages/usage.rules.js';
import { UsagesRepository } from '../../usages/usages.repository.js';
import { AgentAssets, requireAll } from '../../assets/agent-assets.js';
import { assetIdOf } from '../../assets/surface-gate.rules.js';
import type { FiledPost } from './filed-post.js';
import type { FilePostDto } from './social.dto.js';

/** Records assets that have been posted (specification, section 4, rule 5). */
@Injectable()
export class SocialService {
  constructor(
    private readonly database: Database,
    private readonly agentAssets: AgentAssets,
    private readonly assets: AssetsRepository,
    private readonly folders: FoldersRepository,
    private readonly usages: UsagesRepository,
    private readonly audit: AuditService,
  ) {}

  /** Records the post and moves the asset to `Social/Posted`. Recording the same asset and post again changes nothing. */
  async file(scope: ClientScope, request: FilePostDto): Promise<FiledPost> {
    assetIdOf('assetRef', request.assetRef);
    return this.database.transaction(async (manager) => {
      await this.folders.lockShared(scope, manager);
      const held = await this.agentAssets.hold(manager, scope, [request.assetRef], 'social');
      const [asset] = requireAll(held);
      const usage = await this.recordPost(manager, scope, asset!, request);
      const folder = await this.moveToPosted(manager, scope, asset!);
      return { usage, folder, asset: (await this.assets.findById(scope, asset!.id, manager))! };
    });
  }

  private async recordPost(
    manager: EntityManager,
    scope: ClientScope,
    asset: Asset,
    { platform, postUrl, postedAt }: FilePostDto,
  ): Promise<Usage> {
    const key = { kind: 'social_post', externalId: postIdOf(postUrl), role: 'posted' } as const;
    const there = await this.usages.findOne(scope, { ...key, assetId: asset.id }, manager);
    if (there !== null) return there;
    // Two posts of one asset at the same time must not both count as the same planned one.
    await this.usages.lockReference(scope, 'social_post', asset.id, manager);
    const post = {
      ...key,
      assetId: asset.id,
      postId: await this.plannedPostOf(manager, scope, asset, key.externalId),
      surface: 'social',
      url: postUrl,
      platform,
      ...(postedAt ? { usedAt: postedAt } : {}),
    } as const;
    const [usage] = await this.usages.put(scope, [post], manager);
    await this.audit.record(manager, {
      ...scope,
      action: 'asset.posted',
      subject: ['asset', asset.id],
      after: { platform, postUrl, postedAt: usage!.usedAt },
    });
    return usage!;
  }

  /** A reference is usually recorded before the post has an address. The reference with this address, if there is one, is the post. */
  private async plannedPostOf(
    manager: EntityManager,
    scope: ClientScope,
    { id }: Asset,
    postId: string,
  ): Promise<string | null> {
    if (await this.usages.isReferenced(scope, id, postId, manager)) return null;
    return this.usages.findPlannedPost(scope, id, manager);
  }

  /** An asset that the agent has moved to a folder below `Social/Posted` stays there. */
  private async moveToPosted(
    manager: EntityManager,
    scope: ClientScope,
    asset: Asset,
  ): Promise<PlacedFolder> {
    const current =
      asset.folderId === null ? [] : await this.folders.findPath(scope, asset.folderId, manager);
    if (isWithin(current, 'social_posted')) return { folder: current.at(-1)!, path: pathOf(current) };

    const { id: folderId } = await this.folders.getSystemFolder(scope, 'social_posted', manager);
    await this.assets.update(scope, [asset], () => ({ folderId }), manager);
    await this.audit.record(manager, {
      ...scope,
      action: 'asset.update',
      subject: ['asset', asset.id],
      before: { folderId: asset.folderId },
      after: { folderId },
    });
    const path = await this.folders.findPath(scope, folderId, manager);
    return { folder: path.at(-1)!, path: pathOf(path) };
  }
}
