import { setTimeout as delay } from 'node:timers/promises';

/** The answer, if it comes soon enough; otherwise what `late` gives or throws. What is waited for goes on all the same. */
export async function inTime<T, L>(answer: Promise<T>, milliseconds: number, late: () => L): Promise<T | L> {
  const end = new AbortController();
  const tooLate = delay(milliseconds, undefined, { signal: end.signal }).then(late);
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    tooLate.catch(() => undefined);
    answer.catch(() => undefined);
    end.abort();
  }
}
