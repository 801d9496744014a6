import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { ClientScope } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';
import { newId } from '../common/ids.js';
import { decodeCursor, isUuidText, type Page, type PageQuery, toPage } from '../common/paging/page.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { Database } from '../database/database.js';
import type { Asset } from '../database/entities/asset.entity.js';
import type { SystemFolder } from '../database/entities/folder.entity.js';
import type { TrashBatch } from '../database/entities/trash-batch.entity.js';
import { FolderStructure } from '../folders/folder-structure.js';
import { FoldersRepository } from '../folders/folders.repository.js';
import { isWithin, requireUnprotected } from '../folders/folders.service.js';
import { AssetsInUse } from '../usages/assets-in-use.js';
import { JobQueue } from '../jobs/job-queue.js';
import { purgeTrashOf } from './purge-trash.job.js';
import { TrashRepository } from './trash.repository.js';

/** Batches that are marked in one transaction. */
const PAGE = 10_000;

/** Deleting means trashing: what was deleted together can be restored together, until the retention is over. */
@Injectable()
export class TrashService {
  private readonly retentionMs: number;

  constructor(
    private readonly database: Database,
    private readonly structure: FolderStructure,
    private readonly trash: TrashRepository,
    private readonly folders: FoldersRepository,
    private readonly inUse: AssetsInUse,
    private readonly queue: JobQueue,
    private readonly audit: AuditService,
    @InjectConfig() config: Config,
  ) {
    this.retentionMs = config.trashRetentionSeconds * 1000;
  }

  async list(scope: ClientScope, query: PageQuery): Promise<Page<TrashBatch>> {
    const before = decodeCursor(query.cursor, isUuidText);
    return toPage(
      await this.trash.findPage(scope, before, query.limit + 1),
      query.limit,
      (batch) => batch.id,
    );
  }

  restorableUntil(batch: TrashBatch): Date {
    return new Date(batch.trashedAt.getTime() + this.retentionMs);
  }

  /**
   * The folder with everything below, as one batch. `force`: even if references use some of the assets. `below`: only if the folder
   * lies somewhere below this one.
   */
  async trashFolder(
    scope: ClientScope,
    folderId: string,
    { force = false, below }: { force?: boolean; below?: SystemFolder } = {},
  ): Promise<TrashBatch> {
    return this.structure.change(scope.clientId, async (manager) => {
      const path = await this.folders.findPath(scope, folderId, manager);
      const folder = path.at(-1);
      if (folder === undefined || !isWithin(path, below)) throw new Problem('folder_not_found');
      // The protected folders have their fixed place at the top: no other folder lies above one of them.
      requireUnprotected(folder);

      const ids = (await this.folders.findSubtree(manager, scope.clientId, folderId, null)).flat();
      await this.inUse.refuse(manager, scope, { folderIds: ids }, force);
      const batch = await this.open(manager, scope, { folderId, name: folder.name });
      await this.trash.trashFolders(manager, scope.clientId, ids, batch.id);
      const counts = {
        folders: ids.length,
        assets: await this.trash.countAssetsIn(manager, scope.clientId, batch.id),
      };
      await this.trash.setCounts(manager, batch.id, counts);
      await this.record(manager, scope, 'folder.trash', ['folder', folderId], {
        before: { name: folder.name, ...counts, ...(force ? { force } : {}) },
      });
      return { ...batch, ...counts };
    });
  }

  /** Assets that the caller has locked in this transaction, as one batch. `force`: even if references use them. */
  async trashAssets(
    manager: EntityManager,
    scope: ClientScope,
    assets: readonly Asset[],
    force = false,
  ): Promise<TrashBatch> {
    await this.inUse.refuse(manager, scope, { assetIds: assets.map(({ id }) => id) }, force);
    const [first] = assets;
    const others = assets.length - 1;
    const batch = await this.open(manager, scope, {
      assetId: others === 0 ? first!.id : null,
      name: others === 0 ? first!.title : `${first!.title} and ${others} more`,
      assets: assets.length,
    });
    await this.trash.trashAssets(
      manager,
      scope.clientId,
      assets.map(({ id }) => id),
      batch.id,
    );
    await this.audit.recordAll(
      manager,
      assets.map((asset) => ({
        actor: scope.actor,
        clientId: scope.clientId,
        action: 'asset.trash',
        subject: ['asset', asset.id],
        before: { title: asset.title, ...(force ? { force } : {}) },
      })),
    );
    return batch;
  }

  /** For good. Nothing can be restored from now on; records and objects go in the background. */
  async purge(scope: ClientScope, batchId: string | null): Promise<number> {
    if (batchId === null) return this.purgeAll(scope);
    return this.database.transaction(async (manager) => {
      if (!(await this.trash.markPurging(manager, scope.clientId, batchId)))
        throw new Problem('trash_batch_not_found');
      await this.queue.add(manager, purgeTrashOf(scope.clientId));
      await this.record(manager, scope, 'trash.purge', ['trash_batch', batchId], {});
      return 1;
    });
  }

  /** Everything that was in the trash when asked, a page of batches at a time. */
  private async purgeAll(scope: ClientScope): Promise<number> {
    const lastId = await this.trash.findNewestId(scope.clientId);
    if (lastId === null) return 0;
    for (let batches = 0; ;) {
      const marked = await this.database.transaction(async (manager) => {
        const count = await this.trash.markAllPurging(manager, scope.clientId, lastId, PAGE);
        if (count === 0) return 0;
        await this.queue.add(manager, purgeTrashOf(scope.clientId));
        await this.record(manager, scope, 'trash.empty', ['client', scope.clientId], {
          before: { batches: count },
        });
        return count;
      });
      batches += marked;
      if (marked < PAGE) return batches;
    }
  }

  private async open(
    manager: EntityManager,
    scope: ClientScope,
    content: { folderId?: string; assetId?: string | null; name: string; assets?: number },
  ): Promise<TrashBatch> {
    return this.trash.insertBatch(manager, {
      id: newId(),
      clientId: scope.clientId,
      folderId: content.folderId ?? null,
      assetId: content.assetId ?? null,
      name: content.name,
      folders: 0,
      assets: content.assets ?? 0,
      trashedBy: scope.actor.email ?? scope.actor.name,
    });
  }

  private record(
    manager: EntityManager,
    { actor, clientId }: ClientScope,
    action: string,
    subject: readonly [string, string],
    change: { before?: Record<string, unknown> },
  ): Promise<void> {
    return this.audit.record(manager, { actor, clientId, action, subject, ...change });
  }
}
