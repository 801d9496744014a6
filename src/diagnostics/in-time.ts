import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 3_000;

/** Whoever asks how we are wants an answer soon, also when the database has none. */
export async function inTime<T>(answer: Promise<T>): Promise<T> {
  const end = new AbortController();
  const late = delay(PATIENCE_MS, undefined, { signal: end.signal }).then(() => {
    throw new Error('The database did not answer in time.');
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    late.catch(() => undefined);
    answer.catch(() => undefined);
    end.abort();
  }
}
