import { withTimeout } from '../common/with-timeout.js';

const PATIENCE_MS = 3_000;

/** Health checks need a fast response, even if the database does not respond. */
export function withDatabaseTimeout<T>(response: Promise<T>): Promise<T> {
  return withTimeout(response, PATIENCE_MS, () => {
    throw new Error('The database did not respond in time.');
  });
}
