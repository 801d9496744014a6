import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { env, type Overrides } from './environment.js';

/** What the services of a process share, or what belongs to the process. */
const NEEDS_PROCESS =
  /^(LIMIT_(FILENAME|TITLE|TEXT|TAG)_LENGTH$|LIMIT_TAGS$|LOG_LEVEL$|METRICS_|NODE_|PATH$|TMPDIR$|TZ$)/;

/** The process that runs the services of all test files: see run-services.mjs. global-setup.mjs starts it. */
export const serviceHost = {
  async start(settings: Overrides, name = ''): Promise<Overrides> {
    const own = Object.keys(settings).find(
      (each) => settings[each] !== undefined && NEEDS_PROCESS.test(each),
    );
    if (own) throw new Error(`A service with ${own} needs a process of its own: use startProcess.`);
    return (await send('POST', name, JSON.stringify(settings))) as Overrides;
  },

  /** The settings of a service that was started under this name. */
  async find(name: string): Promise<Overrides | null> {
    return (await send('GET', name)) as Overrides | null;
  },

  async stop(port: number): Promise<void> {
    await send('DELETE', String(port));
  },

  /** The result of a program in `test/support`. */
  async run(program: string): Promise<unknown> {
    return send('PUT', program);
  },

  /** Returns a function that reads what the service on this port has logged since this call. */
  followLog(port: number): () => string {
    const log = join(env('TEST_SERVICE_LOGS'), `${port}.log`);
    const start = existsSync(log) ? statSync(log).size : 0;
    return () => readFileSync(log).subarray(start).toString();
  },
};

async function send(method: string, path: string, body?: string): Promise<unknown> {
  const response = await fetch(`${env('TEST_SERVICE_HOST')}/${path}`, { method, ...(body ? { body } : {}) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
