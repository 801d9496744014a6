import { Problem } from './problem.js';

const OUT_OF_REACH = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '57P01', // admin shutdown
  '57P02', // crash shutdown
  '57P03', // cannot connect now
  '53300', // too many connections
  '57014', // statement timeout
  '55P03', // lock timeout
  '40P01', // deadlock, again after every retry
  '40001', // serialization failure, likewise
]);

/** Messages of errors without a code, from pg's pool and client and from TypeORM in a transaction that lost its connection. */
const OUT_OF_REACH_MESSAGE = new RegExp(
  [
    'Connection terminated',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'connection error and is not queryable',
    'Cannot use a pool after calling end',
    'query runner (was )?already released',
  ].join('|'),
  'i',
);

/**
 * A 503 problem if the error means that the database is unreachable or overloaded, otherwise null. Connection errors of the object store
 * never get here: StorageService handles them.
 */
export function databaseProblem(error: unknown): Problem | null {
  if (!(error instanceof Error)) return null;
  const code = sqlState(error);
  const outOfReach =
    (code !== null && (OUT_OF_REACH.has(code) || code.startsWith('08'))) ||
    OUT_OF_REACH_MESSAGE.test(error.message);
  return outOfReach ? new Problem('database_unavailable', undefined, { retryAfter: 2, cause: error }) : null;
}

/** Whether Postgres cancelled a statement that ran too long, or did not respond in time. */
export function isTimeout(error: unknown): boolean {
  return sqlState(error) === '57014' || (error instanceof Error && /Query read timeout/i.test(error.message));
}

/** Deadlocks and serialization failures: the same transaction is likely to succeed when retried. */
export function isTransient(error: unknown): boolean {
  const code = sqlState(error);
  return code === '40P01' || code === '40001';
}

/** The name of the violated unique constraint or index, or null. */
export function violatedUnique(error: unknown): string | null {
  return sqlState(error) === '23505' ? driverField(error, 'constraint') : null;
}

/** Whether the row refers to a row that does not exist (any more). */
export function violatesForeignKey(error: unknown): boolean {
  return sqlState(error) === '23503';
}

function sqlState(error: unknown): string | null {
  return driverField(error, 'code');
}

/** TypeORM wraps the driver's error; the fields can be on either. */
function driverField(error: unknown, field: string): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const value = (error as Record<string, unknown>)[field];
  if (typeof value === 'string') return value;
  return 'driverError' in error ? driverField(error.driverError, field) : null;
}
