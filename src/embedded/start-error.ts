import type { PostgresStartError, StartFailure } from '@asset-library/embedded-postgres';
import { StartError } from '../common/errors/start-error.js';

/** The package does not know the settings of the service, so this adds the relevant one. */
const HINTS: Partial<Record<StartFailure, string>> = {
  directory_in_use: 'DATA_DIR sets the directory.',
  directory_not_accessible: 'DATA_DIR sets the directory.',
  other_version: 'DATA_DIR sets the directory.',
  no_runtime: 'DATA_DIR sets the directory of the data.',
  not_installed: 'Or set DATABASE_URL to use your own Postgres server.',
  port_taken: 'EMBEDDED_DB_PORT sets the port; without it, any free port is used.',
};

export function explainPostgresStart(error: unknown): never {
  if (!isPostgresStartError(error)) throw error;
  const hint = HINTS[error.failure];
  throw new StartError(hint ? `${error.message} ${hint}` : error.message, { cause: error });
}

function isPostgresStartError(error: unknown): error is PostgresStartError {
  return error instanceof Error && error.name === 'PostgresStartError';
}
