import { setTimeout as delay } from 'node:timers/promises';

/** The result of the promise if it arrives in time, otherwise the result of `late`, which may throw. The work itself is not cancelled. */
export async function withTimeout<T, L>(
  work: Promise<T>,
  milliseconds: number,
  late: () => L,
): Promise<T | L> {
  const end = new AbortController();
  const tooLate = delay(milliseconds, undefined, { signal: end.signal }).then(late);
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    tooLate.catch(() => undefined);
    work.catch(() => undefined);
    end.abort();
  }
}
