/** How long a process may take until it is ready. */
export const START_TIMEOUT_MS = 60_000;

export type Overrides = Record<string, string | undefined>;

/** These settings and what every process needs, but nothing else from the environment of the tests. */
export function environmentOf(settings: Overrides): Record<string, string> {
  const environment: Record<string, string> = { IGNORE_ENV_FILE: 'true' };
  for (const name of ['PATH', 'HOME', 'TMPDIR']) if (process.env[name]) environment[name] = process.env[name];
  for (const [name, value] of Object.entries(settings)) if (value !== undefined) environment[name] = value;
  return environment;
}

export function env(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run the tests with "npm test".`);
  return value;
}
