import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'dotenv';

/** The environment of the process. A `.env` file in the working directory provides what is not set. */
export function readEnvironment(): NodeJS.ProcessEnv {
  // Tests must not depend on a developer's .env.
  if (process.env['IGNORE_ENV_FILE'] === 'true' || !existsSync('.env')) return process.env;
  return { ...parse(readFileSync('.env')), ...process.env };
}
