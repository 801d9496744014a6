import { FairSlots, type FullLimit } from './fair-slots.js';

const slotsOf = (total: number, perClient: number, waitMs: number) =>
  new FairSlots({ total, perClient, waitMs }, (full: FullLimit) => new Error(`full: ${full}`));

/** Work that runs until it is told to end. */
function task(slots: FairSlots, clientId: string, signal?: AbortSignal) {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let hasStarted = false;
  const work = () => {
    hasStarted = true;
    return ended;
  };
  const done = slots.use(clientId, work, signal);
  done.catch(() => undefined);
  return {
    done,
    end: async () => {
      end();
      await done;
      await settled();
    },
    hasStarted: () => hasStarted,
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('refuses at once when there is no time to wait, and names the limit', async () => {
  const slots = slotsOf(2, 1, 0);
  task(slots, 'a');
  await expect(task(slots, 'a').done).rejects.toThrow('full: client');
  task(slots, 'b');
  await expect(task(slots, 'c').done).rejects.toThrow('full: total');
});

it('gives a slot back when the work ends or fails', async () => {
  const slots = slotsOf(1, 1, 0);
  await expect(slots.use('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await expect(slots.use('a', () => Promise.resolve('done'))).resolves.toBe('done');
});

it('serves waiting clients in turn, however many requests one of them has', async () => {
  const slots = slotsOf(1, 1, 10_000);
  const first = task(slots, 'a');
  const many = Array.from({ length: 5 }, () => task(slots, 'a'));
  const other = task(slots, 'b');
  await first.end();
  expect(many[0]!.hasStarted()).toBe(true);
  await many[0]!.end();
  expect(other.hasStarted()).toBe(true);
  await other.end();
  for (const waiting of many.slice(1)) await waiting.end();
});

it('passes over a client that has all its slots', async () => {
  const slots = slotsOf(3, 2, 10_000);
  const [one, two, other] = [task(slots, 'a'), task(slots, 'a'), task(slots, 'b')];
  const [third, next] = [task(slots, 'a'), task(slots, 'c')];
  await other.end();
  expect([third.hasStarted(), next.hasStarted()]).toEqual([false, true]);
  await one.end();
  expect(third.hasStarted()).toBe(true);
  for (const running of [two, third, next]) await running.end();
});

it('refuses after the wait, and the place in the queue is gone', async () => {
  const slots = slotsOf(1, 1, 20);
  const running = task(slots, 'a');
  const waiting = task(slots, 'a');
  await expect(waiting.done).rejects.toThrow('full: client');
  await running.end();
  expect(waiting.hasStarted()).toBe(false);
  await task(slots, 'a').end();
});

it('stops waiting when the signal is aborted', async () => {
  const slots = slotsOf(1, 1, 10_000);
  const running = task(slots, 'a');
  const left = new AbortController();
  const waiting = task(slots, 'a', left.signal);
  left.abort(new Error('left'));
  await expect(waiting.done).rejects.toThrow('left');
  await running.end();
  expect(waiting.hasStarted()).toBe(false);
});
