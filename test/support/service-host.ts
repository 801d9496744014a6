import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { env, environmentOf, type Overrides, START_TIMEOUT_MS } from './environment.js';

/** What the services of a process share, or what belongs to the process. */
const NEEDS_PROCESS =
  /^(LIMIT_(FILENAME|TITLE|TEXT|TAG)_LENGTH$|LIMIT_TAGS$|LOG_LEVEL$|METRICS_|NODE_|PATH$|TMPDIR$|TZ$)/;

/** The process of this Jest worker that runs services: see run-services.mjs. */
class ServiceHost {
  constructor(
    private readonly url: string,
    private readonly log: string,
  ) {}

  async start(settings: Overrides, name = ''): Promise<Overrides> {
    const own = Object.keys(settings).find((each) => NEEDS_PROCESS.test(each));
    if (own) throw new Error(`A service with ${own} needs a process of its own: use startProcess.`);
    return (await this.send('POST', name, JSON.stringify(settings))) as Overrides;
  }

  /** The settings of a service that was started under this name. */
  async find(name: string): Promise<Overrides | null> {
    return (await this.send('GET', name)) as Overrides | null;
  }

  async stop(port: number): Promise<void> {
    await this.send('DELETE', String(port));
  }

  /** The result of a program next to run-services.mjs. */
  async run(program: string): Promise<unknown> {
    return this.send('PUT', program);
  }

  /** Returns a function that reads what the services of the process have printed since this call. */
  followLog(): () => string {
    const start = statSync(this.log).size;
    return () => readFileSync(this.log).subarray(start).toString();
  }

  private async send(method: string, path: string, body?: string): Promise<unknown> {
    const response = await fetch(`${this.url}/${path}`, { method, ...(body ? { body } : {}) });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  }
}

let host: Promise<ServiceHost> | undefined;

/** One for all services of the test file, even if they start at the same time. */
export function serviceHost(): Promise<ServiceHost> {
  return (host ??= findOrStart());
}

/** It outlives the test file: global-teardown.mjs ends it. */
async function findOrStart(): Promise<ServiceHost> {
  const path = join(env('TEST_SERVICE_HOSTS'), env('JEST_WORKER_ID'));
  const { port } = runningBefore(`${path}.json`) ?? (await startHost(path));
  return new ServiceHost(`http://127.0.0.1:${port}`, `${path}.log`);
}

interface Host {
  readonly pid: number;
  readonly port: number;
}

function runningBefore(record: string): Host | null {
  if (!existsSync(record)) return null;
  const last = JSON.parse(readFileSync(record, 'utf8')) as Host;
  return isRunning(last.pid) ? last : null;
}

async function startHost(path: string): Promise<Host> {
  const log = openSync(`${path}.log`, 'a');
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', join(__dirname, 'run-services.mjs'), `${path}.json`],
    { env: environmentOf({}), stdio: ['ignore', log, log] },
  );
  child.unref();
  closeSync(log);
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await delay(20)) {
    const started = runningBefore(`${path}.json`);
    if (started !== null && started.pid === child.pid) return started;
    if (child.exitCode !== null) break;
  }
  throw new Error(`The process for services did not start:\n${readFileSync(`${path}.log`, 'utf8')}`);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
