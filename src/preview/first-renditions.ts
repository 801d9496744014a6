import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { logger } from '../common/logging/logger.js';
import { Lull } from '../common/lull.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import type { Asset } from '../database/entities/asset.entity.js';
import { FreshPictures, type UploadedPicture } from './fresh-pictures.js';
import { EAGER, EAGER_SIDE } from './rendition.rules.js';
import { RenditionsService } from './renditions.service.js';

/**
 * Uploads go first, and so do the pages that show one immediately: they get its previews faster than background work makes them.
 */
const UPLOADS_FIRST = { quietMs: 500, maxWaitMs: 20_000, maxWaiting: 500 };

/**
 * Makes the renditions that pages request first, right after an upload and in the same process, from the picture that its verification
 * has read. `CheckRenditionsJob` notices what a crash, an outage or full memory leaves out.
 */
@Injectable()
export class FirstRenditions implements BeforeApplicationShutdown {
  private readonly lull = new Lull(UPLOADS_FIRST);
  private readonly running = new Set<Promise<void>>();
  private stopping = false;

  constructor(
    private readonly pictures: FreshPictures,
    private readonly renditions: RenditionsService,
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

  /** Running work completes; the rest is noticed later. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.lull.endWaits();
    await Promise.allSettled(this.running);
  }

  private async makeSoon(asset: Asset): Promise<void> {
    await this.lull.wait();
    // Without its picture this would need a second download and decoding, which is left to the job.
    const isStillCheap = () => !this.stopping && this.pictures.get(asset.id) !== undefined;
    await this.renditions.makeMissing(asset, EAGER, isStillCheap);
  }
}
