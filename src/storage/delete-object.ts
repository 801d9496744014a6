import type { Enqueue, QueuedJob } from '../jobs/job-queue.js';

export const DELETE_OBJECT = 'delete-object';
/** After the last preview job: nobody waits for deletions, however many a client causes. */
const PRIORITY = 1_000;

export interface DeleteObject {
  readonly key: string;
}

/** Queues the deletion of an object that a change leaves without an owner. `DeleteObjectJob` performs it. */
export function deleteObject(payload: DeleteObject, when: Pick<Enqueue, 'delaySeconds'> = {}): QueuedJob {
  return { name: DELETE_OBJECT, payload, priority: PRIORITY, ...when };
}
