import { Injectable } from '@nestjs/common';
import { AssetsRepository } from '../assets/assets.repository.js';
import { Problem } from '../common/errors/problem.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { EAGER } from './rendition.rules.js';
import { RenditionsService } from './renditions.service.js';

export const MAKE_RENDITIONS = 'make-renditions';

/** Right after an upload, so that nobody has to wait for the first look. */
@Injectable()
@Job(MAKE_RENDITIONS)
export class MakeRenditionsJob implements JobHandler<{ clientId: string; assetId: string }> {
  constructor(
    private readonly assets: AssetsRepository,
    private readonly renditions: RenditionsService,
  ) {}

  async run({ clientId, assetId }: { clientId: string; assetId: string }): Promise<void> {
    const asset = await this.assets.findById({ clientId }, assetId);
    if (asset === null) return;
    try {
      await this.renditions.makeMissing(asset, EAGER);
    } catch (error) {
      // It is remembered with its cause; repeating the job would change nothing.
      if (!(error instanceof Problem && error.code === 'media_invalid')) throw error;
    }
  }
}
