import { setTimeout as delay } from 'node:timers/promises';

/** The answer, if it comes soon enough; otherwise the error. What is waited for goes on all the same. */
export async function inTime<T>(answer: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  const end = new AbortController();
  const tooLate = delay(milliseconds, undefined, { signal: end.signal }).then(() => {
    throw late();
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    tooLate.catch(() => undefined);
    answer.catch(() => undefined);
    end.abort();
  }
}
