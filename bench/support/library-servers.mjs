/** Starts what the library's benches measure: a Postgres, an object store, and servers as processes of their own, on loopback. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startObjectStoreThread } from '../../dist/src/embedded/object-store/object-store-thread.js';
import { startPostgres } from '../../dist/src/embedded/postgres.js';

const SERVICE = join(import.meta.dirname, '../../dist/src/main.js');
const SEED = readFileSync(join(import.meta.dirname, 'seed-library.sql'), 'utf8');
const OWNER = { email: 'owner@bench.example', password: 'owner-owner-owner' };
const SECRET = 'bench-secret-bench-secret-bench-secret';
const BUCKET = 'bench-library';

/** Everything started through it ends with it, whatever happens. */
export async function withLibrary(work) {
  const directory = mkdtempSync(join(tmpdir(), 'asset-library-bench-'));
  const endings = [];
  try {
    const postgres = await startPostgres({
      directory: join(directory, 'postgres'),
      settings: { shared_buffers: '1GB', synchronous_commit: 'off', max_wal_size: '4GB' },
    });
    endings.unshift(() => postgres.stop());
    const credentials = { accessKeyId: 'bench', secretAccessKey: randomBytes(20).toString('hex') };
    const store = await startObjectStoreThread({
      directory: join(directory, 'store'),
      host: '127.0.0.1',
      port: 0,
      ...credentials,
    });
    endings.unshift(() => store.close());
    const start = async (script, env) => {
      const server = await startServer(script, env);
      endings.unshift(() => end(server.process));
      return server;
    };
    const storage = { endpoint: store.endpoint, bucket: BUCKET, ...credentials };
    return await work({
      directory,
      storage,
      start,
      startService: (database) => startService(start, postgres.url, database, storage),
    });
  } finally {
    for (const ending of endings) await ending();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The service on a database of its own, with a key of the role viewer. */
async function startService(start, postgresUrl, database, storage) {
  await sql(postgresUrl, `CREATE DATABASE ${database}`);
  const databaseUrl = Object.assign(new URL(postgresUrl), { pathname: `/${database}` }).toString();
  const service = await start(SERVICE, {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '10',
    AUTH_JWT_SECRET: SECRET,
    SECRETS_KEY: SECRET,
    ADMIN_EMAIL: OWNER.email,
    ADMIN_PASSWORD: OWNER.password,
    WORKER: 'off',
    STORAGE_ACCOUNT_ID: 'bench',
    STORAGE_ACCESS_KEY_ID: storage.accessKeyId,
    STORAGE_SECRET_ACCESS_KEY: storage.secretAccessKey,
    STORAGE_BUCKET_NAME: storage.bucket,
    STORAGE_ENDPOINT: storage.endpoint,
  });
  const post = async (path, body, token) => {
    const answer = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const { accessToken } = await post('/auth/login', OWNER);
  const { key } = await post(
    '/admin/api-keys',
    { name: 'bench', role: 'viewer', clientIds: null },
    accessToken,
  );
  return { ...service, databaseUrl, key };
}

/** Indexes are built afterwards: a million rows would take very long otherwise. */
export async function seedLibrary(databaseUrl, clients, assets) {
  const text = SEED.replaceAll(':clients', String(clients)).replaceAll(':assets', String(assets));
  const indexes = await sql(
    databaseUrl,
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE tablename = 'assets' AND indexname ~ '^assets_(search|by|in)_'`,
  );
  await sql(databaseUrl, `DROP INDEX ${indexes.map(({ name }) => name).join(', ')}`);
  await sql(databaseUrl, text);
  for (const { definition } of indexes)
    await sql(databaseUrl, `SET maintenance_work_mem = '512MB';\n${definition}`);
  for (const table of ['folders', 'assets']) await sql(databaseUrl, `VACUUM ANALYZE ${table}`);
}

export async function sql(databaseUrl, text, values) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
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
  for (const deadline = Date.now() + 30_000; ; await delay(100)) {
    if (child.exitCode !== null) throw new Error(`${script} ended with ${child.exitCode}.`);
    const isReady = await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return { url, process: child };
    if (Date.now() > deadline) {
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

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
