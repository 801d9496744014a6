import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { holdLease } from './lease.js';

const SECONDS = 0.3;

describe('A lease', () => {
  it('is held while it is renewed', async () => {
    const lease = holdLease(SECONDS, () => Promise.resolve(true));
    await delay(SECONDS * 1500);
    expect(lease.signal.aborted).toBe(false);
    lease.release();
  });

  it.each<[string, () => Promise<boolean>]>([
    ['somebody else has it', () => Promise.resolve(false)],
    ['the database rejects renewals', () => Promise.reject(new Error('connection lost'))],
    ['the database does not respond', () => new Promise(() => undefined)],
  ])('is lost when %s', async (_when, renew) => {
    const reason = new Error('lost');
    const lease = holdLease(SECONDS, renew, reason);
    await once(lease.signal, 'abort');
    expect(lease.signal.reason).toBe(reason);
    lease.release();
  });

  it('survives a renewal that fails once', async () => {
    let renewals = 0;
    const lease = holdLease(SECONDS, () =>
      ++renewals === 2 ? Promise.reject(new Error('connection lost')) : Promise.resolve(true),
    );
    await delay(SECONDS * 1000);
    expect(renewals).toBeGreaterThan(2);
    expect(lease.signal.aborted).toBe(false);
    lease.release();
  });

  it('is not renewed after its release', async () => {
    let renewals = 0;
    const lease = holdLease(SECONDS, () => Promise.resolve(++renewals > 0));
    lease.release();
    await delay(SECONDS * 500);
    expect(renewals).toBe(0);
  });
});
