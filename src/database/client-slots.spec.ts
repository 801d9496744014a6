import { setTimeout as delay } from 'node:timers/promises';
import { ClientSlots } from './client-slots.js';

/** Work that ends when told to. */
function heldWork() {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { run: () => ended, end };
}

describe('slots per client', () => {
  it('let a client do as much at once as there are slots, and others beside it', async () => {
    const slots = new ClientSlots(2, 1_000);
    const held = heldWork();
    const busy = [slots.use('a', held.run), slots.use('a', held.run)];
    let third = false;
    const waiting = slots.use('a', () => Promise.resolve(void (third = true)));
    await slots.use('b', () => Promise.resolve());
    expect(third).toBe(false);
    held.end();
    await Promise.all([...busy, waiting]);
    expect(third).toBe(true);
  });

  it('are taken over in the order of waiting', async () => {
    const slots = new ClientSlots(1, 1_000);
    const held = heldWork();
    const order: number[] = [];
    const all = [slots.use('a', held.run)];
    for (const n of [1, 2, 3]) all.push(slots.use('a', () => Promise.resolve(void order.push(n))));
    held.end();
    await Promise.all(all);
    expect(order).toEqual([1, 2, 3]);
  });

  it('refuse when the wait is too long, and then serve the next', async () => {
    const slots = new ClientSlots(1, 20);
    const held = heldWork();
    const first = slots.use('a', held.run);
    await expect(slots.use('a', () => Promise.resolve())).rejects.toMatchObject({
      code: 'server_busy',
      options: { retryAfter: 2 },
    });
    held.end();
    await first;
    await expect(slots.use('a', () => Promise.resolve('served'))).resolves.toBe('served');
  });

  it('are given back by work that fails', async () => {
    const slots = new ClientSlots(1, 20);
    const fail = () => delay(1).then(() => Promise.reject(new Error('failed')));
    await expect(slots.use('a', fail)).rejects.toThrow('failed');
    await expect(slots.use('a', () => Promise.resolve('served'))).resolves.toBe('served');
  });
});
