import { setImmediate as nextTurn } from 'node:timers/promises';
import { Batch } from './batch.js';

describe('Batch', () => {
  let loads: string[][];
  const batch = new Batch<string>((keys) => {
    loads.push(keys);
    if (keys.includes('broken')) return Promise.reject(new Error('cannot load'));
    return Promise.resolve(
      new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, `value of ${key}`])),
    );
  });
  beforeEach(() => (loads = []));

  it('loads keys requested at the same moment together, each once', async () => {
    const found = await Promise.all(['a', 'b', 'a', 'unknown'].map((key) => batch.find(key)));
    expect(found).toEqual(['value of a', 'value of b', 'value of a', null]);
    expect(loads).toEqual([['a', 'b', 'unknown']]);
  });

  it('loads again what is requested later', async () => {
    const first = batch.find('a');
    await nextTurn();
    await Promise.all([first, batch.find('a')]);
    expect(loads).toEqual([['a'], ['a']]);
  });

  it('reports a failure to the callers of the batch, and not to others', async () => {
    const [broken, beside] = await Promise.allSettled([batch.find('broken'), batch.find('a')]);
    expect([broken.status, beside.status]).toEqual(['rejected', 'rejected']);
    expect(await batch.find('a')).toBe('value of a');
  });

  it('splits large batches', async () => {
    const keys = Array.from({ length: 250 }, (_, index) => `key ${index}`);
    const found = await Promise.all(keys.map((key) => batch.find(key)));
    expect(found).toEqual(keys.map((key) => `value of ${key}`));
    expect(loads.map(({ length }) => length)).toEqual([100, 100, 50]);
  });
});
