import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { logger } from '../common/logging/logger.js';
import { Database } from '../database/database.js';
import type { TrashBatch } from '../database/entities/trash-batch.entity.js';
import type { QueuedJob } from '../jobs/job-queue.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { originalKey, renditionKey } from '../storage/object-key.js';
import { StorageService } from '../storage/storage.service.js';
import { Installation } from '../storage/installation.js';
import { type DoomedAsset, PurgeRepository } from './purge.repository.js';

const PURGE_TRASH = 'purge-trash';
const PAGE = 1_000;

type DoomedBatch = Pick<TrashBatch, 'id' | 'name' | 'folders' | 'assets'>;

/** One job per client, one at a time: queuing it again while it waits changes nothing, and revives one that failed for good. */
export function purgeTrashOf(clientId: string): QueuedJob {
  const key = `${PURGE_TRASH}:${clientId}`;
  return { name: PURGE_TRASH, payload: { clientId }, key, queue: key };
}

/**
 * Deletes for good every batch of a client that is marked for it. Each record goes only after its objects are gone, a page at a time,
 * so that it can stop anywhere and be taken up again.
 */
@Injectable()
@Job(PURGE_TRASH)
export class PurgeTrashJob implements JobHandler<{ clientId: string }> {
  constructor(
    private readonly database: Database,
    private readonly trash: PurgeRepository,
    private readonly storage: StorageService,
    private readonly installation: Installation,
    private readonly audit: AuditService,
  ) {}

  async run({ clientId }: { clientId: string }, signal: AbortSignal): Promise<void> {
    let kept = 0;
    let batch = await this.trash.findNextPurging(clientId, null);
    while (batch !== null) {
      if (!(await this.purge(clientId, batch, signal))) kept++;
      batch = await this.trash.findNextPurging(clientId, batch.id);
    }
    if (kept > 0) throw new Error(`The store refused to delete objects of ${kept} trash batches.`);
  }

  /**
   * False when the store refused to delete some of its objects: the batch then stays, with its folders and the records of those objects.
   * An asset is only hidden by its folder, and would come back to life without it.
   */
  private async purge(clientId: string, batch: DoomedBatch, signal: AbortSignal): Promise<boolean> {
    const refused =
      (await this.purgePages(clientId, signal, () => this.trash.findAssets(clientId, batch.id, PAGE))) +
      (await this.purgePages(clientId, signal, (fromFolderId) =>
        this.trash.findAssetsInFolders(clientId, batch.id, fromFolderId, PAGE),
      ));
    if (refused > 0) return false;
    await repeat(signal, () => this.trash.detachAssets(clientId, batch.id, PAGE));
    await repeat(signal, () => this.trash.detachSessions(clientId, batch.id, PAGE));
    await repeat(signal, () => this.trash.deleteFolders(clientId, batch.id, PAGE));
    await this.finish(clientId, batch);
    return true;
  }

  /** Stops at a page that the store refuses whole. Answers how often it refused to delete an asset's objects. */
  private async purgePages(
    clientId: string,
    signal: AbortSignal,
    findPage: (fromFolderId: string | null) => Promise<DoomedAsset[]>,
  ): Promise<number> {
    let refused = 0;
    let page = await findPage(null);
    while (page.length > 0) {
      signal.throwIfAborted();
      const kept = await this.purgeAssets(clientId, page);
      refused += kept;
      if (kept === page.length) break;
      page = await findPage(page.at(-1)!.folderId);
    }
    return refused;
  }

  /** Answers how many of them the store refused to delete. */
  private async purgeAssets(clientId: string, assets: readonly DoomedAsset[]): Promise<number> {
    if (await this.installation.bucketIsOthers())
      throw new Error('The bucket carries the id of another installation: nothing is purged.');
    const ownerOf = new Map<string, string>();
    for (const { id, attempt, renditions } of assets) {
      ownerOf.set(originalKey(clientId, id, attempt), id);
      for (const name of renditions) ownerOf.set(renditionKey(clientId, id, name), id);
    }
    const refused = await this.storage.deleteMany([...ownerOf.keys()]);
    const kept = new Set(refused.map(({ key }) => ownerOf.get(key)));
    const gone = assets.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
    await repeat(undefined, () => this.trash.clearDuplicates(clientId, gone, PAGE));
    await this.database.transaction((manager) => this.trash.deleteAssets(manager, clientId, gone));
    return assets.length - gone.length;
  }

  private async finish(clientId: string, { id, name, folders, assets }: DoomedBatch): Promise<void> {
    await this.database.transaction(async (manager) => {
      if (!(await this.trash.deleteBatch(manager, id))) return;
      await this.audit.record(manager, {
        actor: null,
        clientId,
        action: 'trash.purged',
        subject: ['trash_batch', id],
        before: { name, folders, assets },
      });
    });
    logger.info({ batchId: id, assets, folders }, 'trash batch purged');
  }
}

/** Until a page is not full. */
async function repeat(signal: AbortSignal | undefined, change: () => Promise<number>): Promise<void> {
  while ((await change()) === PAGE) signal?.throwIfAborted();
}
