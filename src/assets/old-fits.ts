import type { Asset } from '../database/entities/asset.entity.js';
import type { QueuedJob } from '../jobs/job-queue.js';

export const DELETE_OLD_FITS = 'delete-old-fits';
/** Nobody waits for it. */
const PRIORITY = 1_000;

/** After an asset's focal point has changed: its `fit` renditions are made again on the next request. */
export function deleteOldFits({ clientId, id }: Pick<Asset, 'clientId' | 'id'>): QueuedJob {
  return {
    name: DELETE_OLD_FITS,
    payload: { clientId, assetId: id },
    key: `${DELETE_OLD_FITS}:${id}`,
    priority: PRIORITY,
  };
}
