import { Lull } from './lull.js';

describe('Lull', () => {
  let lull: Lull;
  let started: string[];
  beforeEach(() => {
    jest.useFakeTimers();
    lull = new Lull({ quietMs: 500, maxWaitMs: 10_000, maxWaiting: 3 });
    started = [];
  });
  afterEach(() => jest.useRealTimers());

  const urgent = () => {
    let end = () => {};
    lull.interruptedBy(new Promise<void>((resolve) => (end = resolve)));
    return () => end();
  };
  const queue = (...names: string[]) => {
    for (const name of names) void lull.wait().then(() => started.push(name));
  };
  const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

  it('comes when nothing urgent has been running for a moment', async () => {
    const [endFirst, endSecond] = [urgent(), urgent()];
    queue('a', 'b');
    endFirst();
    await pass(1_000);
    endSecond();
    await pass(400);
    const endThird = urgent();
    await pass(1_000);
    expect(started).toEqual([]);
    endThird();
    await pass(500);
    expect(started).toEqual(['a', 'b']);
  });

  it('comes after urgent work that failed', async () => {
    lull.interruptedBy(Promise.reject(new Error('failed')));
    queue('a');
    await pass(500);
    expect(started).toEqual(['a']);
  });

  it('is not waited for longer than allowed', async () => {
    urgent();
    queue('a');
    await pass(5_000);
    queue('b');
    await pass(5_000);
    expect(started).toEqual(['a']);
    await pass(5_000);
    expect(started).toEqual(['a', 'b']);
  });

  it('is waited for by a limited number, the oldest of which starts first', async () => {
    urgent();
    queue('a', 'b', 'c');
    await pass(0);
    expect(started).toEqual([]);
    queue('d');
    await pass(0);
    expect(started).toEqual(['a']);
    lull.endOldestWait();
    await pass(0);
    expect(started).toEqual(['a', 'b']);
  });
});
