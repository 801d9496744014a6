import { Injectable } from '@nestjs/common';
import { AssetsRepository } from '../assets/assets.repository.js';
import { Problem } from '../common/errors/problem.js';
import { clientQueue } from '../jobs/client-queue.js';
import type { QueuedJob } from '../jobs/job-queue.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { EAGER } from './rendition.rules.js';
import { RenditionsService } from './renditions.service.js';

const MAKE_RENDITIONS = 'make-renditions';
/** Fewer than the worker's slots, so that the slow files of one client leave some to other clients and other jobs. */
const QUEUES_PER_CLIENT = 2;

/** `recentAssets`: among clients with waiting jobs, the one with the fewest recent uploads goes first. */
export function makeRenditionsOf(clientId: string, assetId: string, recentAssets: number): QueuedJob {
  const queue = Number.parseInt(assetId.slice(-1), 16) % QUEUES_PER_CLIENT;
  return {
    name: MAKE_RENDITIONS,
    payload: { clientId, assetId },
    queue: `${clientQueue(MAKE_RENDITIONS, clientId)}:${queue}`,
    priority: recentAssets,
  };
}

/** In case that the process cannot make them from its memory: long enough for that, also on a busy machine, and after all other jobs. */
export function makeMissingRenditionsOf(clientId: string, assetId: string): QueuedJob {
  return { ...makeRenditionsOf(clientId, assetId, 999), delaySeconds: 120 };
}

/** Runs after an upload, so that nobody has to wait for the first preview. Does nothing if the renditions exist. */
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
      // The failure is recorded with its cause; retrying the job would change nothing.
      if (!(error instanceof Problem && error.code === 'media_invalid')) throw error;
    }
  }
}
