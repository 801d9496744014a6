import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/services/service.js';

const ROOT = join(__dirname, '../..');
/** The first embedded start creates a database and uploads samples. */
const START_MS = 120_000;
const STOP_MS = 30_000;

jest.setTimeout(START_MS + 2 * STOP_MS);

/** The embedded setup, in a separate data directory, as a real tree of processes. */
describe('npm start', () => {
  const directory = mkdtempSync(join(tmpdir(), 'asset-library-npm-start-'));
  let environment: Record<string, string>;
  let port: number;
  let started: ChildProcess[] = [];
  beforeAll(async () => {
    port = await freePort();
    environment = {
      PATH: process.env['PATH']!,
      HOME: process.env['HOME'] ?? directory,
      IGNORE_ENV_FILE: 'true',
      DATA_DIR: join(directory, 'data'),
      PORT: String(port),
      EMBEDDED_STORE_PORT: '0',
      npm_config_update_notifier: 'false',
    };
    chmodSync(directory, 0o755);
  });
  afterEach(async () => {
    for (const child of started) stopGroup(child);
    started = [];
    await eventually(() => expect(runningPostgres()).toBeNull(), STOP_MS);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /** Every start leads a process group, as in a terminal. */
  const start = async (command: string, args: string[], extra: Record<string, string> = {}) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...environment, ...extra },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    started.push(child);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await eventually(() => expect(output).toContain('Client Asset Library is running'), START_MS);
    expect(await status()).toBe(200);
    // Also after a restart of its Postgres.
    const { checks } = (await (await fetch(`http://127.0.0.1:${port}/status`)).json()) as {
      checks: { control: string };
    };
    expect(checks.control).toBe('ok');
    expect(runningPostgres()).not.toBeNull();
    return child;
  };
  const status = (host = `127.0.0.1:${port}`, path = '/healthz') =>
    new Promise<number | null>((resolve) => {
      request({ host: '127.0.0.1', port, path, headers: { host }, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      })
        .on('error', () => resolve(null))
        .end();
    });
  const runningPostgres = () => {
    try {
      const pid = Number.parseInt(
        readFileSync(join(directory, 'data/postgres/cluster/postmaster.pid'), 'utf8'),
        10,
      );
      process.kill(pid, 0);
      return pid;
    } catch {
      return null;
    }
  };
  const expectAllGone = () =>
    eventually(async () => {
      expect(await status()).toBeNull();
      expect(runningPostgres()).toBeNull();
    }, STOP_MS);

  it('only accepts its own host names, and ends when npm is killed', async () => {
    const npm = await start('npm', ['start']);
    for (const host of [`localhost:${port}`, `[::1]:${port}`, '127.0.0.1'])
      expect(await status(host)).toBe(200);
    for (const host of [
      `evil.example:${port}`,
      'evil.example',
      `127.0.0.1.evil.example:${port}`,
      '192.168.0.1',
    ])
      expect(await status(host)).toBe(421);
    const refused = await login('evil.example');
    expect(refused).toMatchObject({ status: 421, code: 'host_not_allowed' });
    expect(refused.headers['set-cookie']).toBeUndefined();
    expect(await login(`127.0.0.1:${port}`)).toMatchObject({ status: 200 });

    npm.kill('SIGKILL');
    await expectAllGone();
  });

  it('ends when npm is terminated, and on Ctrl-C', async () => {
    const npm = await start('npm', ['start']);
    npm.kill('SIGTERM');
    await expectAllGone();

    const inTerminal = await start('npm', ['start']);
    process.kill(-inTerminal.pid!, 'SIGINT');
    await expectAllGone();
  });

  it('ends when npm is killed and there is no shell between them', async () => {
    const shell = join(directory, 'sh');
    writeFileSync(shell, '#!/bin/sh\nexec $2\n', { mode: 0o755 });
    const npm = await start('npm', ['start'], { npm_config_script_shell: shell });
    npm.kill('SIGKILL');
    await expectAllGone();
  });

  it('started directly, stays when the shell that started it ends', async () => {
    const shell = await start('/bin/sh', ['-c', `${process.execPath} dist/src/main.js & wait`]);
    shell.kill('SIGKILL');
    await once(shell, 'exit');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(await status()).toBe(200);
  });

  async function login(host: string) {
    const body = JSON.stringify({ email: 'owner@example.com', password: 'demo-demo-demo' });
    const sent = request({
      host: '127.0.0.1',
      port,
      path: '/auth/login',
      method: 'POST',
      headers: { host, 'content-type': 'application/json', 'content-length': body.length },
      agent: false,
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const { code } = JSON.parse(await text(response)) as { code?: string };
    return { status: response.statusCode, code, headers: response.headers };
  }
});

/** Cleans up after a failed test. */
function stopGroup(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGTERM');
  } catch {
    // Nothing is left.
  }
}
