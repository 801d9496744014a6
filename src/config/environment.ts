import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'dotenv';

/** The process's environment; a `.env` file in the working directory fills in what is not set. */
export function readEnvironment(): NodeJS.ProcessEnv {
  // Tests must not depend on what a developer keeps in .env.
  if (process.env['IGNORE_ENV_FILE'] === 'true' || !existsSync('.env')) return process.env;
  return { ...parse(readFileSync('.env')), ...process.env };
}
