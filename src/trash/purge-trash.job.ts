import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { logger } from '../common/logging/logger.js';
import { Database } from '../database/database.js';
import type { TrashBatch } from '../database/entities/trash-batch.entity.js';
import { clientQueue } from '../jobs/client-queue.js';
import { inBatches } from '../jobs/in-batches.js';
import { JobQueue, type QueuedJob } from '../jobs/job-queue.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { originalKey, renditionKey } from '../storage/object-key.js';
import { StorageService } from '../storage/storage.service.js';
import { BucketControl } from '../storage/bucket-control.js';
import { type AssetToPurge, PurgeRepository } from './purge.repository.js';

const PURGE_TRASH = 'purge-trash';
const PAGE = 1_000;
/** Clients share queues, so nobody waits for all of a large trash. */
const TURN_MS = 60_000;

interface Turn {
  readonly signal: AbortSignal;
  readonly endsAt: number;
}

type BatchToPurge = Pick<TrashBatch, 'id' | 'name' | 'folders' | 'assets'>;

/** One job per client, one at a time: queuing it again while it waits changes nothing, and revives one that failed permanently. */
export function purgeTrashOf(clientId: string): QueuedJob {
  const key = `${PURGE_TRASH}:${clientId}`;
  return { name: PURGE_TRASH, payload: { clientId }, key, queue: clientQueue(PURGE_TRASH, clientId) };
}

/**
 * Permanently deletes every batch of a client that is marked for it. Each record is deleted after its objects, one page at a time, so that
 * the job can stop and resume anywhere.
 */
@Injectable()
@Job(PURGE_TRASH)
export class PurgeTrashJob implements JobHandler<{ clientId: string }> {
  constructor(
    private readonly database: Database,
    private readonly trash: PurgeRepository,
    private readonly storage: StorageService,
    private readonly control: BucketControl,
    private readonly queue: JobQueue,
    private readonly audit: AuditService,
  ) {}

  async run({ clientId }: { clientId: string }, signal: AbortSignal): Promise<void> {
    const turn = { signal, endsAt: Date.now() + TURN_MS };
    try {
      await this.purgeAll(clientId, turn);
    } catch (error) {
      if (!(error instanceof PurgeLater)) throw error;
      const { delaySeconds } = error;
      await this.queue.add(this.database.manager, { ...purgeTrashOf(clientId), delaySeconds });
    }
  }

  private async purgeAll(clientId: string, turn: Turn): Promise<void> {
    let kept = 0;
    let batch = await this.trash.findNextPurging({ clientId }, null);
    while (batch !== null) {
      if (!(await this.purge(clientId, batch, turn))) kept++;
      batch = await this.trash.findNextPurging({ clientId }, batch.id);
    }
    if (kept > 0) throw new Error(`The store failed to delete objects of ${kept} trash batches.`);
  }

  /**
   * False if the store failed to delete some of its objects. The batch then stays, with its folders and the records of those objects: an
   * asset is only hidden by its folder and would become live without it.
   */
  private async purge(clientId: string, batch: BatchToPurge, turn: Turn): Promise<boolean> {
    const refused =
      (await this.purgePages(clientId, turn, () => this.trash.findAssets({ clientId }, batch.id, PAGE))) +
      (await this.purgePages(clientId, turn, (fromFolderId) =>
        this.trash.findAssetsInFolders({ clientId }, batch.id, fromFolderId, PAGE),
      ));
    if (refused > 0) return false;
    const { signal } = turn;
    await inBatches(PAGE, (size) => this.trash.detachAssets({ clientId }, batch.id, size), signal);
    await inBatches(PAGE, (size) => this.trash.detachSessions({ clientId }, batch.id, size), signal);
    await inBatches(PAGE, (size) => this.trash.deleteFolders({ clientId }, batch.id, size), signal);
    await this.finish(clientId, batch);
    return true;
  }

  /** Stops at a page that the store rejects completely. Returns how many assets have objects that could not be deleted. */
  private async purgePages(
    clientId: string,
    { signal, endsAt }: Turn,
    findPage: (fromFolderId: string | null) => Promise<AssetToPurge[]>,
  ): Promise<number> {
    let refused = 0;
    let page = await findPage(null);
    while (page.length > 0) {
      signal.throwIfAborted();
      const kept = await this.purgeAssets(clientId, page);
      refused += kept;
      if (kept === page.length) break;
      if (Date.now() > endsAt) throw new PurgeLater(0);
      page = await findPage(page.at(-1)!.folderId);
    }
    return refused;
  }

  /** Returns how many of them the store failed to delete. */
  private async purgeAssets(clientId: string, assets: readonly AssetToPurge[]): Promise<number> {
    if (!(await this.control.mayDelete())) throw new PurgeLater(this.control.retrySeconds);
    const ownerOf = new Map<string, string>();
    for (const { id, attempt, renditions } of assets) {
      ownerOf.set(originalKey(clientId, id, attempt), id);
      for (const name of renditions) ownerOf.set(renditionKey(clientId, id, name), id);
    }
    const refused = await this.storage.deleteMany([...ownerOf.keys()]);
    const kept = new Set(refused.map(({ key }) => ownerOf.get(key)));
    const gone = assets.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
    await inBatches(PAGE, (size) => this.trash.clearDuplicates({ clientId }, gone, size));
    await this.database.transaction((manager) => this.trash.deleteAssets({ clientId }, gone, manager));
    return assets.length - gone.length;
  }

  private async finish(clientId: string, { id, name, folders, assets }: BatchToPurge): Promise<void> {
    await this.database.transaction(async (manager) => {
      if (!(await this.trash.deleteBatch({ clientId }, id, manager))) return;
      await this.audit.record(manager, {
        actor: null,
        clientId,
        action: 'trash.purged',
        subject: ['trash_batch', id],
        before: { name, folders, assets },
      });
    });
    logger.info({ batchId: id, assets, folders }, 'purged trash batch');
  }
}

/** It is somebody else's turn, or nothing can be deleted for now. What is marked stays marked. */
class PurgeLater extends Error {
  constructor(readonly delaySeconds: number) {
    super();
  }
}
