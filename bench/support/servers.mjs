/** Starts what benches measure: a Postgres of their own, and each server as its own process, on loopback only. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '../../dist/src/embedded/postgres.js';

const START_TIMEOUT_MS = 30_000;

export const OWNER = { email: 'owner@bench.example', password: 'owner-owner-owner' };
export const SECRET = 'bench-secret-bench-secret-bench-secret';
export const SERVICE = join(import.meta.dirname, '../../dist/src/main.js');

/** Everything started through it ends with it, whatever happens. */
export async function withServers(work) {
  const directory = mkdtempSync(join(tmpdir(), 'asset-library-bench-'));
  const children = [];
  let postgres;
  try {
    postgres = await startPostgres({ directory });
    const startProcess = async (script, env) => {
      const server = await startServer(script, { DATABASE_URL: postgres.url, ...env });
      children.push(server.process);
      return server;
    };
    const start = async (script, env) => (await startProcess(script, env)).url;
    return await work({ start, startProcess });
  } finally {
    await Promise.all(children.map(end));
    await postgres?.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** As in production, with the log written but not looked at. */
async function startServer(script, env) {
  const port = await freePort();
  const child = spawn(process.execPath, [script], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      IGNORE_ENV_FILE: 'true',
      HOST: '127.0.0.1',
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  for (const end = Date.now() + START_TIMEOUT_MS; ; await delay(100)) {
    if (child.exitCode !== null) throw new Error(`${script} ended with ${child.exitCode}.`);
    if (
      await fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return { url, process: child };
    if (Date.now() > end) {
      child.kill('SIGKILL');
      throw new Error(`${script} did not start.`);
    }
  }
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
