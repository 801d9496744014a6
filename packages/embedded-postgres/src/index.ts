export { startPostgres } from './postgres.js';
export type { PostgresOptions, RunningPostgres } from './postgres.js';
export { PostgresStartError } from './start-error.js';
export type { StartFailure } from './start-error.js';
