import { inBatches } from './in-batches.js';

describe('inBatches', () => {
  const working = (...counts: number[]) => jest.fn((_size: number) => Promise.resolve(counts.shift()!));

  it('repeats the work until a batch is not full, and adds up', async () => {
    const work = working(10, 10, 3, 10);
    await expect(inBatches(10, work)).resolves.toBe(23);
    expect(work.mock.calls).toEqual([[10], [10], [10]]);
  });

  it('ends with an empty batch', async () => {
    await expect(inBatches(10, working(10, 0, 10))).resolves.toBe(10);
  });

  it('throws between two batches when aborted, so that the job is run again', async () => {
    const stop = new AbortController();
    const work = jest.fn((size: number) => {
      stop.abort(new Error('shutting down'));
      return Promise.resolve(size);
    });
    await expect(inBatches(10, work, stop.signal)).rejects.toThrow('shutting down');
    expect(work).toHaveBeenCalledTimes(1);
  });
});
