import type { Database } from '../database/database.js';
import type { BucketControl } from '../storage/bucket-control.js';
import type { DeliveriesRepository } from './deliveries.repository.js';
import type { DeliveryAttempts, HeldDelivery } from './delivery-attempts.js';
import { DeliveryRecheck } from './delivery-recheck.js';
import type { DeliveryTargets } from './delivery-targets.js';

const held = { delivery: { status: 'delivered' } } as HeldDelivery;

describe('DeliveryRecheck', () => {
  it.each([
    ['the database does not control the bucket', () => Promise.resolve(false)],
    ['the object store cannot be reached', () => Promise.reject(new Error('unreachable'))],
  ])('is postponed without using up its retries if %s', async (_reason, mayActOutside) => {
    const attempts = { postponeRecheck: jest.fn(), recordFailedRecheck: jest.fn(), recordRecheck: jest.fn() };
    const targets = { open: jest.fn() };
    const recheck = new DeliveryRecheck(
      {} as Database,
      {} as DeliveriesRepository,
      attempts as unknown as DeliveryAttempts,
      targets as unknown as DeliveryTargets,
      { mayActOutside, retrySeconds: 120 } as unknown as BucketControl,
    );
    await recheck.run(held, new AbortController().signal);
    expect(attempts.postponeRecheck.mock.calls).toEqual([[held, 120]]);
    expect(attempts.recordFailedRecheck).not.toHaveBeenCalled();
    expect(attempts.recordRecheck).not.toHaveBeenCalled();
    expect(targets.open).not.toHaveBeenCalled();
  });
});
