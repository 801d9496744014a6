import { withTimeout } from '../common/with-timeout.js';

const PATIENCE_MS = 3_000;

/** Health checks need a fast response, even if the database does not respond. */
export function withDatabaseTimeout<T>(query: Promise<T>): Promise<T> {
  return withTimeout(query, PATIENCE_MS, () => {
    throw new Error('The database did not respond in time.');
  });
}
