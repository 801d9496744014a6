import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { commandLine, directoryInUse, hasCode, isRunning } from './directory-lock.js';
import { createDatabase, lastLines, SUPERUSER } from './cluster.js';
import { freePort, HOST, portTaken } from './ports.js';
import type { PostgresRuntime } from './runtime.js';
import { PostgresStartError } from './start-error.js';

const START_DEADLINE = 180_000;
const LEFTOVER_DEADLINE = 15_000;
const STOP_DEADLINE = 10_000;

const SETTINGS = {
  listen_addresses: HOST,
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Parallel queries need more of /dev/shm than a container provides.
  max_parallel_workers_per_gather: '0',
  // Statements contain personal data, which must not be logged.
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

export interface Server {
  child: ChildProcess;
  port: number;
}

/** Stops a server whose parent was killed: the lock shows that nobody uses it any more. */
export async function stopLeftover(
  directory: string,
  cluster: string,
  log: (line: string) => void,
): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  const content = await readFile(file, 'utf8').catch(() => '');
  const pid = Number.parseInt(content, 10);
  if (!isRunning(pid)) return;
  if (!(await commandLine(pid)).includes(cluster)) {
    // The number now belongs to another process. Postgres treats its parent's number as stale, and still checks the rest of the file for
    // backends that outlived their server.
    await writeFile(file, content.replace(/^\d+/, String(process.pid)));
    return;
  }
  log(`Stopping Postgres ${pid}, left behind by a process that was killed`);
  const isGone = async () => !isRunning(pid) || !(await commandLine(pid)).includes(cluster);
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!(await isGone())) process.kill(pid, signal);
    for (let waited = 0; waited < LEFTOVER_DEADLINE && !(await isGone()); waited += 50) await sleep(50);
  }
  if (!(await isGone())) throw directoryInUse(directory, pid);
}

export async function launch(
  options: { directory: string; name: string; port?: number; settings?: Record<string, string> },
  cluster: string,
  runtime: PostgresRuntime,
  password: string,
): Promise<Server> {
  const { directory } = options;
  const giveUp = Date.now() + LEFTOVER_DEADLINE;
  for (;;) {
    const port = options.port ?? (await freePort());
    const settings = Object.entries({ ...SETTINGS, ...options.settings, port: String(port) });
    const logFile = await open(join(directory, 'postgres.log'), 'w', 0o600);
    // A separate session: Ctrl-C in the terminal must not stop the database before running requests have finished.
    const child = runtime.spawn(
      'postgres',
      ['-D', cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { stdio: ['ignore', logFile.fd, logFile.fd], detached: true },
    );
    child.unref();
    guard(child, cluster);
    await logFile.close();
    try {
      await untilReady({ child, port }, options.name, password);
      return { child, port };
    } catch (error) {
      await stopServer(child);
      const output = await readFile(join(directory, 'postgres.log'), 'utf8');
      const isPortTaken = output.includes('could not bind IPv4 address');
      if (isPortTaken && options.port !== undefined) throw portTaken(options.port);
      // Backends of a killed server need a moment to notice, and a free port may be taken in the meantime.
      const isPassing =
        isPortTaken || /pre-existing shared memory block|"postmaster.pid" already exists/.test(output);
      if (!isPassing || Date.now() > giveUp) {
        const reason = `Postgres did not start: ${(error as Error).message}`;
        throw new PostgresStartError('server_failed', `${reason}\n${lastLines(output)}`, { cause: error });
      }
      await sleep(250);
    }
  }
}

/** Starts a shell whose input closes when this process exits for any reason, and which then stops the server. */
function guard(child: ChildProcess, cluster: string): void {
  const script = 'read -r _ && exit 0; read -r pid < "$1" && [ "$pid" = "$2" ] && kill -INT "$pid"';
  const args = ['-c', script, 'postgres-guard', join(cluster, 'postmaster.pid'), String(child.pid)];
  const shell = spawn('/bin/sh', args, { stdio: ['pipe', 'ignore', 'ignore'], cwd: '/', detached: true });
  shell.on('error', () => undefined).unref();
  shell.stdin.on('error', () => undefined);
  // Neither may keep this process alive.
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  child.once('exit', () => shell.stdin.end('stopped\n'));
}

/** Waits until the server accepts connections. */
async function untilReady({ child, port }: Server, name: string, password: string): Promise<void> {
  let failure: Error | undefined;
  child.on('error', (error) => (failure = error));
  for (const deadline = Date.now() + START_DEADLINE; Date.now() < deadline; await sleep(25)) {
    if (failure) throw failure;
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`it exited immediately (${child.exitCode ?? child.signalCode})`);
    }
    const client = new Client({
      host: HOST,
      port,
      user: SUPERUSER,
      password,
      database: 'postgres',
      ssl: false,
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      // 57P03: still starting, for instance recovering after a crash.
      if (hasCode(error, 'ECONNREFUSED', 'ECONNRESET', '57P03')) continue;
      // Another server on the port would also respond; ours then exits, and its log contains the cause.
      await sleep(500);
      if (child.exitCode !== null) continue;
      throw error;
    }
    try {
      await createDatabase(client, name, password);
    } finally {
      await client.end();
    }
    return;
  }
  throw new Error(`it was not ready after ${START_DEADLINE / 1000} seconds`);
}

/** Fast shutdown, then an immediate one, which is as safe as a power failure, for a server that does not respond. */
export async function stopServer(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  child.ref();
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(STOP_DEADLINE) });
    child.kill(signal);
    await ended.catch(() => undefined);
  }
}
