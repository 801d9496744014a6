import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { DeliveryAttempts, type HeldDelivery } from './delivery-attempts.js';

const LEASE_SECONDS = 0.3;

async function hold(heartbeat: () => Promise<boolean>): Promise<HeldDelivery> {
  const key = { clientId: 'demo', id: 'delivery' };
  const deliveries = {
    lockTaking: () => Promise.resolve(),
    findNext: () => Promise.resolve(key),
    take: () => Promise.resolve({ ...key, leaseId: 'lease' }),
    heartbeat,
  };
  const database = { transaction: (work: (manager: object) => unknown) => Promise.resolve(work({})) };
  const config = { deliveries: { leaseSeconds: LEASE_SECONDS } };
  const none = {} as never;
  const attempts = new DeliveryAttempts(
    database as never,
    deliveries as never,
    none,
    none,
    none,
    none,
    config as never,
  );
  return (await attempts.take({ fullClients: [], recentClients: [] }))!;
}

describe('A held delivery', () => {
  it('continues while its heartbeats are recorded', async () => {
    const held = await hold(() => Promise.resolve(true));
    await delay(LEASE_SECONDS * 1500);
    expect(held.signal.aborted).toBe(false);
    held.release();
  });

  it.each<[string, () => Promise<boolean>]>([
    ['another worker has taken over', () => Promise.resolve(false)],
    ['the database rejects its heartbeats', () => Promise.reject(new Error('connection lost'))],
    ['the database does not respond', () => new Promise(() => undefined)],
  ])('is aborted when %s', async (_when, heartbeat) => {
    const held = await hold(heartbeat);
    await once(held.signal, 'abort');
    held.release();
  });
});
