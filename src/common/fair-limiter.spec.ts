import { setImmediate as tick } from 'node:timers/promises';
import { FairLimiter, type FairLimits, type Priority } from './fair-limiter.js';

const LIMITS: FairLimits = {
  capacity: 3,
  perClient: 2,
  background: 2,
  maxQueued: 100,
  maxQueuedPerClient: 50,
  full: () => new Error('full'),
};

describe('FairLimiter', () => {
  let limiter: FairLimiter;
  let running: string[];
  let ends: Map<string, () => void>;
  const start = (limits: Partial<FairLimits> = {}) => {
    limiter = new FairLimiter({ ...LIMITS, ...limits });
    running = [];
    ends = new Map();
  };
  /** Work named after its client, such as `a1`, that runs until it is told to end. */
  const add = (name: string, priority: Priority = 'interactive', cost = 1, signal?: AbortSignal) =>
    limiter.run(
      { clientId: name[0]!, priority },
      async () => {
        running.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        running.splice(running.indexOf(name), 1);
      },
      { cost, signal },
    );
  const end = async (name: string) => {
    ends.get(name)!();
    await tick();
  };
  const addAll = async (...names: string[]) => {
    for (const name of names) void add(name);
    await tick();
  };
  beforeEach(() => start());

  it('keeps room for others: a single client gets its share, the next client starts immediately', async () => {
    await addAll('a1', 'a2', 'a3', 'a4', 'b1');
    expect(running).toEqual(['a1', 'a2', 'b1']);
  });

  it('gives every client its turn, however long the queue of another client is', async () => {
    await addAll('a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1', 'd1');
    expect(running).toEqual(['a1', 'a2', 'b1']);
    await end('a1');
    expect(running).toContain('c1');
    await end('a2');
    expect(running).toContain('d1');
    await end('b1');
    expect(running).toContain('a3');
    await end('a3');
    expect(running).toContain('b2');
  });

  it('runs interactive work first, and leaves room next to background work', async () => {
    void add('a1', 'background');
    void add('b1', 'background');
    void add('c1', 'background');
    await addAll('a2', 'd1', 'e1');
    expect(running).toEqual(['a1', 'b1', 'a2']);
    await end('a1');
    expect(running).toContain('d1');
    await end('b1');
    expect(running).toContain('e1');
    await end('d1');
    expect(running).toContain('c1');
  });

  it('does not let background work wait forever', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
    try {
      await addAll('a1', 'b1', 'c1');
      void add('d1', 'background');
      clock.mockReturnValue(60_000);
      await addAll('a2', 'b2', 'c2', 'e1');
      await end('a1');
      expect(running).toContain('d1');
    } finally {
      clock.mockRestore();
    }
  });

  it('considers cost: small work overtakes large work for a while, but not forever', async () => {
    start({ capacity: 10, perClient: 6, background: 5 });
    const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
    try {
      void add('a1', 'interactive', 6);
      void add('b1', 'interactive', 5);
      void add('c1', 'interactive', 2);
      await tick();
      expect(running).toEqual(['a1', 'c1']);
      clock.mockReturnValue(60_000);
      void add('d1', 'interactive', 1);
      await tick();
      expect(running).toEqual(['a1', 'c1']);
      await end('a1');
      expect(running).toEqual(['c1', 'b1', 'd1']);
    } finally {
      clock.mockRestore();
    }
  });

  it('runs work that costs more than the share of its client when nothing else of that client runs', async () => {
    start({ capacity: 10, perClient: 6, background: 5 });
    void add('a1', 'interactive', 1);
    void add('a2', 'interactive', 100);
    await tick();
    expect(running).toEqual(['a1']);
    await end('a1');
    expect(running).toEqual(['a2']);
  });

  it('limits the queue of each client, and all queues together', async () => {
    start({ maxQueuedPerClient: 2, maxQueued: 3 });
    await addAll('a1', 'a2', 'a3', 'a4');
    await expect(add('a5')).rejects.toThrow('full');
    await addAll('b1', 'b2');
    expect(running).toEqual(['a1', 'a2', 'b1']);
    await expect(add('c1')).rejects.toThrow('full');
    await end('a1');
    await addAll('d1');
    await end('b1');
    expect(running).toEqual(['a2', 'a3', 'd1']);
  });

  it('lets waiting work be cancelled, and others take its place', async () => {
    await addAll('a1', 'a2', 'b1');
    const leaving = new AbortController();
    const left = add('c1', 'interactive', 1, leaving.signal);
    const later = new AbortController();
    const ran = add('d1', 'interactive', 1, later.signal);
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    await end('a1');
    expect(running).toEqual(['a2', 'b1', 'd1']);
    later.abort(new Error('too late to leave the queue'));
    await end('d1');
    await expect(ran).resolves.toBeUndefined();
    await expect(add('e1', 'interactive', 1, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });

  it('frees its place when work fails', async () => {
    const owner = { clientId: 'a', priority: 'interactive' as const };
    for (let round = 0; round < 5; round += 1) {
      await expect(limiter.run(owner, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    }
    await addAll('a1', 'a2', 'b1');
    expect(running).toHaveLength(3);
  });

  it('rejects waiting and new work when it closes', async () => {
    await addAll('a1', 'a2');
    const waiting = add('a3');
    limiter.close(new Error('closed'));
    await expect(waiting).rejects.toThrow('closed');
    await expect(add('b1')).rejects.toThrow('closed');
    await end('a1');
    expect(running).toEqual(['a2']);
  });

  it('rejects immediately if nothing may wait, and names the limit', async () => {
    start({ capacity: 2, perClient: 1, maxWaitMs: 0, full: (limit) => new Error(`full: ${limit}`) });
    await addAll('a1');
    await expect(add('a2')).rejects.toThrow('full: client');
    await addAll('b1');
    await expect(add('c1')).rejects.toThrow('full: total');
    await end('a1');
    await addAll('a3');
    expect(running).toEqual(['b1', 'a3']);
  });

  it('rejects when the wait has expired, and frees the place in the queue', async () => {
    start({ capacity: 1, perClient: 1, maxWaitMs: 20, full: (limit) => new Error(`full: ${limit}`) });
    await addAll('a1');
    await expect(add('a2')).rejects.toThrow('full: client');
    await expect(add('b1')).rejects.toThrow('full: total');
    await end('a1');
    expect(running).toEqual([]);
    await addAll('a3');
    expect(running).toEqual(['a3']);
  });
});
