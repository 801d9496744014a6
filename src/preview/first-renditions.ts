import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { logger } from '../common/logging/logger.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import type { Asset } from '../database/entities/asset.entity.js';
import { JobQueue } from '../jobs/job-queue.js';
import type { SmallPicture } from '../media/media.types.js';
import { FreshPictures } from './fresh-pictures.js';
import { renditionsJobKey } from './make-renditions.job.js';
import { EAGER, EAGER_SIDE } from './rendition.rules.js';
import { RenditionsService } from './renditions.service.js';

/** Pages that show an upload immediately request its previews first, and get them faster than background work makes them. */
const HEAD_START_MS = 500;

/**
 * Makes the renditions that pages request first, right after an upload and in the same process, from the pixels that its verification
 * decoded. `MakeRenditionsJob` makes what a crash, an outage or full memory leaves out.
 */
@Injectable()
export class FirstRenditions implements BeforeApplicationShutdown {
  private readonly running = new Set<Promise<void>>();
  private stopping = false;

  constructor(
    private readonly pictures: FreshPictures,
    private readonly renditions: RenditionsService,
    private readonly queue: JobQueue,
    @InjectConfig() private readonly config: Config,
  ) {}

  /** The size of the picture that `make` needs; null if this process leaves background work to others. */
  get pictureSide(): number | null {
    return this.config.worker === 'off' ? null : EAGER_SIDE;
  }

  /** Called after the commit. Nobody waits for it. */
  make(asset: Asset, picture: SmallPicture): void {
    if (this.stopping) return;
    this.pictures.put(asset, picture);
    const work = this.makeSoon(asset)
      .catch((error: unknown) =>
        logger.info(
          { err: error, assetId: asset.id },
          'could not make previews of an upload, leaving them to the job',
        ),
      )
      .finally(() => {
        this.pictures.delete(asset.id);
        this.running.delete(work);
      });
    this.running.add(work);
  }

  /** Running work completes; the queue has a job for the rest. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await Promise.allSettled(this.running);
  }

  private async makeSoon(asset: Asset): Promise<void> {
    await delay(HEAD_START_MS);
    // Without its picture this would need a second download and decoding, which is left to the job.
    const isStillCheap = () => !this.stopping && this.pictures.get(asset.id) !== undefined;
    const areReady = await this.renditions.makeMissing(asset, EAGER, isStillCheap);
    if (areReady) await this.queue.remove(renditionsJobKey(asset.id));
  }
}
