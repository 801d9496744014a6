/**
 * Repeats `work` until a batch is not full, and returns the sum. Throws when aborted: the job then returns to the queue and continues from
 * there, instead of counting as done.
 */
export async function inBatches(
  size: number,
  work: (size: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  for (let done = 0; ;) {
    signal?.throwIfAborted();
    const count = await work(size);
    done += count;
    if (count < size) return done;
  }
}
