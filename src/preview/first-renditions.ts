import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { logger } from '../common/logging/logger.js';
import { Lull } from '../common/lull.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import type { Asset } from '../database/entities/asset.entity.js';
import { JobQueue } from '../jobs/job-queue.js';
import { FreshPictures, type UploadedPicture } from './fresh-pictures.js';
import { makeRenditionsOf } from './make-renditions.job.js';
import { EAGER, EAGER_SIDE } from './rendition.rules.js';
import { type AssetOfClient, RenditionsRepository } from './renditions.repository.js';
import { RenditionsService } from './renditions.service.js';

/**
 * Uploads go first, and so do the pages that show one immediately: they get its previews faster than background work makes them.
 */
const UPLOADS_FIRST = { quietMs: 500, maxWaitMs: 20_000, maxWaiting: 500 };
/** After the jobs that someone may be waiting for. */
const MISSING_PRIORITY = 999;

/**
 * Makes the renditions that pages request first, right after an upload and in the same process, from the picture already in memory.
 * `CheckRenditionsJob` finds those that are missing after a crash, an outage or full memory.
 */
@Injectable()
export class FirstRenditions implements BeforeApplicationShutdown {
  private readonly lull = new Lull(UPLOADS_FIRST);
  private readonly running = new Set<Promise<void>>();
  private stopping = false;

  constructor(
    private readonly pictures: FreshPictures,
    private readonly renditions: RenditionsService,
    private readonly repository: RenditionsRepository,
    private readonly queue: JobQueue,
    @InjectConfig() private readonly config: Config,
  ) {}

  /** The size of the picture that `make` needs; null if this process leaves background work to others. */
  get pictureSide(): number | null {
    return this.config.worker === 'off' ? null : EAGER_SIDE;
  }

  /** Someone waits for the end of this upload. */
  yieldTo(upload: Promise<unknown>): void {
    this.lull.interruptedBy(upload);
  }

  /** Called after the commit, as the last part of the upload. Nobody waits for it. */
  make(asset: Asset, picture: UploadedPicture): void {
    if (this.stopping) return;
    this.pictures.put(asset, picture);
    if (this.pictures.areHalfFull) this.lull.endOldestWait();
    const work = this.makeSoon(asset)
      .catch((error: unknown) =>
        logger.info(
          { err: error, assetId: asset.id },
          'could not make previews of an upload, leaving them to the queue',
        ),
      )
      .finally(() => {
        this.pictures.delete(asset.id);
        this.running.delete(work);
      });
    this.running.add(work);
  }

  /** Queues those of the given assets that are missing. */
  async queueMissing(assets: readonly AssetOfClient[], manager: EntityManager): Promise<void> {
    const names = EAGER.map(({ name }) => name);
    const incomplete = await this.repository.findIncomplete(assets, names, manager);
    const jobs = incomplete.map(({ clientId, assetId }) =>
      makeRenditionsOf(clientId, assetId, MISSING_PRIORITY),
    );
    if (jobs.length > 0) await this.queue.add(manager, ...jobs);
  }

  /** Running work completes; `CheckRenditionsJob` finds the rest. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.lull.endWaits();
    await Promise.allSettled(this.running);
  }

  private async makeSoon(asset: Asset): Promise<void> {
    await this.lull.wait();
    // Without its picture, the original would have to be downloaded again, which is left to the job.
    const isStillCheap = () => !this.stopping && this.pictures.get(asset.id) !== undefined;
    await this.renditions.makeMissing(asset, EAGER, isStillCheap);
  }
}
