import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import type { JobQueue } from '../jobs/job-queue.js';
import type { BucketControl } from '../storage/bucket-control.js';
import type { Installation } from '../storage/installation.js';
import type { StorageService } from '../storage/storage.service.js';
import { DeleteObjectJob } from './delete-object.job.js';
import type { MissingObjects } from './missing-objects.js';
import type { ObjectOwnersRepository } from './object-owners.repository.js';
import { ReconcileJob } from './reconcile.job.js';

const signal = new AbortController().signal;

describe('DeleteObjectJob', () => {
  it('keeps an object that gets an owner while the control of the bucket is checked', async () => {
    let isOwned = false;
    const deleted: string[] = [];
    const job = new DeleteObjectJob(
      {
        findUnowned: (keys: string[]) => Promise.resolve(isOwned ? [] : keys),
      } as unknown as ObjectOwnersRepository,
      { delete: (key: string) => Promise.resolve(deleted.push(key)) } as unknown as StorageService,
      { mayDelete: () => Promise.resolve((isOwned = true)) } as unknown as BucketControl,
      {} as Database,
      {} as JobQueue,
    );
    await job.run({ key: 'object' });
    expect(deleted).toEqual([]);
  });
});

describe('ReconcileJob', () => {
  it('stops in the middle of a page when another database claims the bucket', async () => {
    const objects = Array.from({ length: 1_000 }, (_, index) => ({
      key: `orphan-${index}`,
      sizeBytes: 1,
      lastModified: new Date(0),
    }));
    const deleted: string[] = [];
    const storage = {
      list: () => [objects],
      delete: (key: string) => Promise.resolve(deleted.push(key)),
      multipart: { list: () => [] },
    };
    const owners = {
      classify: (keys: string[]) => Promise.resolve(new Map(keys.map((key) => [key, 'recorded']))),
      findUnowned: (keys: string[]) => Promise.resolve(keys),
    };
    const job = new ReconcileJob(
      storage as unknown as StorageService,
      owners as unknown as ObjectOwnersRepository,
      { owner: () => Promise.resolve('us') } as unknown as Installation,
      { mayDelete: () => Promise.resolve(deleted.length < 3) } as unknown as BucketControl,
      { find: () => Promise.resolve(0) } as unknown as MissingObjects,
      { sweeper: { reportSeconds: 1, removeSeconds: 1, restoreGapSeconds: 1 } } as Config,
    );
    expect(await job.reconcile({}, signal)).toMatchObject({ seen: 1_000, orphans: 1_000, removed: 3 });
    expect(deleted).toHaveLength(3);
  });
});
