import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  env,
  environmentOf,
  freePort,
  LISTENING,
  newSettings,
  type Overrides,
  programFile,
  runningAt,
  type RunningService,
  START_TIMEOUT_MS,
} from './service.js';

interface Shared {
  readonly pid: number;
  readonly port: number;
  readonly settings: Overrides;
}

/**
 * A service that test files with the same settings use one after the other, for tests that only look at their own
 * clients and leave no lasting changes. Starting and warming up a service for each file took a third of the time of all
 * tests.
 */
export async function sharedService(overrides: Overrides = {}): Promise<RunningService> {
  const name = createHash('sha256').update(JSON.stringify(overrides)).digest('hex').slice(0, 12);
  const path = join(env('TEST_SHARED_SERVICES'), `${process.env['JEST_WORKER_ID']}-${name}`);
  const { port, settings } = runningBefore(`${path}.json`) ?? (await start(overrides, path));
  return runningAt(port, settings);
}

function runningBefore(record: string): Shared | null {
  if (!existsSync(record)) return null;
  const shared = JSON.parse(readFileSync(record, 'utf8')) as Shared;
  return isRunning(shared.pid) ? shared : null;
}

/** It outlives the test file: global-teardown.mjs ends it. */
async function start(overrides: Overrides, path: string): Promise<Shared> {
  const settings = { ...(await newSettings()), ...overrides };
  const port = await freePort();
  const log = openSync(`${path}.log`, 'w');
  const child = spawn(process.execPath, ['--enable-source-maps', programFile('main')], {
    env: environmentOf({ ...settings, PORT: String(port) }),
    stdio: ['ignore', log, log],
  });
  child.unref();
  closeSync(log);
  const shared = { pid: child.pid!, port, settings };
  writeFileSync(`${path}.json`, JSON.stringify(shared));
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const output = readFileSync(`${path}.log`, 'utf8');
    if (output.includes(LISTENING)) return shared;
    if (!isRunning(shared.pid) || Date.now() > deadline)
      throw new Error(`The service did not start:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
