import type { AuditService } from '../audit/audit.service.js';
import { newId } from '../common/ids.js';
import type { Database } from '../database/database.js';
import type { BucketControl } from '../storage/bucket-control.js';
import type { StorageService } from '../storage/storage.service.js';
import { PurgeTrashJob, purgeTrashOf } from './purge-trash.job.js';
import type { PurgeRepository } from './purge.repository.js';

const page = [{ id: newId(), attempt: newId(), renditions: [], folderId: null }];

describe('Purging a large trash', () => {
  it('lets others have their turn', async () => {
    jest.useFakeTimers();
    let pages = 0;
    const add = jest.fn();
    const trash = {
      findNextPurging: () => Promise.resolve({ id: 'batch', name: 'Large', folders: 0, assets: 1 }),
      findAssets: () => {
        pages++;
        jest.advanceTimersByTime(10_000);
        return Promise.resolve(page);
      },
      clearDuplicates: () => Promise.resolve(0),
      deleteAssets: () => Promise.resolve(),
    };
    const job = new PurgeTrashJob(
      { transaction: (work: () => unknown) => Promise.resolve(work()) } as unknown as Database,
      trash as unknown as PurgeRepository,
      { deleteMany: () => Promise.resolve([]) } as unknown as StorageService,
      { mayDelete: () => Promise.resolve(true) } as unknown as BucketControl,
      { add },
      {} as AuditService,
    );
    await job.run({ clientId: 'demo' }, new AbortController().signal);
    expect(pages).toBeLessThan(10);
    expect(add).toHaveBeenCalledWith(undefined, { ...purgeTrashOf('demo'), delaySeconds: 0 });
    jest.useRealTimers();
  });
});
