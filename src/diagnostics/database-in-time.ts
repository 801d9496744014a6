import { inTime } from '../common/in-time.js';

const PATIENCE_MS = 3_000;

/** Whoever asks how we are wants an answer soon, also when the database has none. */
export function databaseInTime<T>(answer: Promise<T>): Promise<T> {
  return inTime(answer, PATIENCE_MS, () => {
    throw new Error('The database did not answer in time.');
  });
}
