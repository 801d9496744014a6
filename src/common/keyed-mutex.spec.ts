import { KeyedMutex } from './keyed-mutex.js';

describe('KeyedMutex', () => {
  it('runs work with the same key in order, one at a time, also after a failure', async () => {
    const mutex = new KeyedMutex();
    const events: string[] = [];
    const work = (name: string, fails = false) =>
      mutex.run('key', async () => {
        events.push(`${name} starts`);
        await new Promise(setImmediate);
        events.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const results = await Promise.allSettled([work('first'), work('second', true), work('third')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(events).toEqual(
      ['first', 'second', 'third'].flatMap((name) => [`${name} starts`, `${name} ends`]),
    );
  });

  it('does not make different keys wait for each other, and keeps no unused keys', async () => {
    const mutex = new KeyedMutex();
    let release!: () => void;
    const blocked = mutex.run('one', () => new Promise<void>((resolve) => (release = resolve)));
    await expect(mutex.run('two', () => Promise.resolve('done'))).resolves.toBe('done');
    release();
    await blocked;
    await new Promise(setImmediate);
    expect((mutex as unknown as { last: Map<string, unknown> }).last.size).toBe(0);
  });
});
