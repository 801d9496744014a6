/** Starts what the benchmarks measure: Postgres, an object store, and each server as its own process, on loopback only. */
import {
  CreateBucketCommand,
  DeleteObjectsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '@asset-library/embedded-postgres';
import { startObjectStoreThread } from '@asset-library/embedded-s3';

export const SECRET = 'bench-secret-bench-secret-bench-secret';
export const POOL_SIZE = '10';

const OWNER = { email: 'owner@bench.example', password: 'owner-owner-owner' };
const KEYS = { accessKeyId: 'bench', secretAccessKey: 'bench-bench-bench' };
const BUCKET = 'bench';
/** If the environment configures a store with an empty bucket, it replaces the embedded one, which shares our cores. */
const FOREIGN = process.env.STORAGE_ENDPOINT ? foreignStore(process.env) : null;
/** Recorded with a measurement. */
export const STORE = FOREIGN ? 'the store at STORAGE_ENDPOINT' : 'the embedded store';
const SERVICE = join(import.meta.dirname, '../../dist/src/main.js');
const FLOORS = join(import.meta.dirname, '../floors');
const START_TIMEOUT_MS = 30_000;

/** Everything started through it is stopped with it, whatever happens. */
export async function withServers(work, postgresSettings = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'asset-library-bench-'));
  const endings = [];
  try {
    const postgres = await startPostgres({
      directory: join(directory, 'postgres'),
      name: 'asset_library',
      settings: postgresSettings,
    });
    endings.unshift(() => postgres.stop());
    const store = FOREIGN ?? (await startStore(directory, endings));
    const s3 = connect(store);
    endings.unshift(() => s3.destroy());
    if (FOREIGN) endings.unshift(() => empty(s3, store.bucket));
    else await s3.send(new CreateBucketCommand({ Bucket: store.bucket }));

    const start = async (script, env) => {
      const server = await startServer(script, env);
      endings.unshift(() => end(server.process));
      return server;
    };
    return await work({
      directory,
      s3,
      bucket: store.bucket,
      startService: (database, env) => startService(start, postgres.url, database, store, env),
      startFloor: (name, env) => start(join(FLOORS, `${name}.mjs`), env),
    });
  } finally {
    for (const ending of endings) await ending();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The service with a new database; `call` uses its owner's account. */
async function startService(start, postgresUrl, database, store, env = {}) {
  await sql(postgresUrl, `CREATE DATABASE ${database}`);
  const databaseUrl = Object.assign(new URL(postgresUrl), { pathname: `/${database}` }).toString();
  const service = await start(SERVICE, {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: POOL_SIZE,
    AUTH_JWT_SECRET: SECRET,
    SECRETS_KEY: SECRET,
    ADMIN_EMAIL: OWNER.email,
    ADMIN_PASSWORD: OWNER.password,
    WORKER: 'off',
    STORAGE_ACCOUNT_ID: 'bench',
    STORAGE_ACCESS_KEY_ID: store.credentials.accessKeyId,
    STORAGE_SECRET_ACCESS_KEY: store.credentials.secretAccessKey,
    STORAGE_BUCKET_NAME: store.bucket,
    STORAGE_ENDPOINT: store.endpoint,
    STORAGE_REGION: store.region,
    STORAGE_FORCE_PATH_STYLE: String(store.forcePathStyle),
    ...env,
  });
  const post = async (path, body, headers = {}) => {
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const json = await response.json();
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${JSON.stringify(json)}`);
    return json;
  };
  const { accessToken } = await post('/auth/login', OWNER);
  const call = (path, body) => post(path, body, { authorization: `Bearer ${accessToken}` });
  return { ...service, databaseUrl, endpoint: store.endpoint, accessToken, call };
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

async function startStore(directory, endings) {
  const store = await startObjectStoreThread({
    directory: join(directory, 'store'),
    host: '127.0.0.1',
    port: 0,
    ...KEYS,
  });
  endings.unshift(() => store.close());
  const { endpoint } = store;
  return { endpoint, region: 'auto', forcePathStyle: true, credentials: KEYS, bucket: BUCKET };
}

function foreignStore(env) {
  return {
    endpoint: env.STORAGE_ENDPOINT,
    region: env.STORAGE_REGION ?? 'auto',
    forcePathStyle: env.STORAGE_FORCE_PATH_STYLE !== 'false',
    credentials: { accessKeyId: env.STORAGE_ACCESS_KEY_ID, secretAccessKey: env.STORAGE_SECRET_ACCESS_KEY },
    bucket: env.STORAGE_BUCKET_NAME,
  };
}

/** The next service claims the bucket again, which requires an empty bucket. */
async function empty(s3, Bucket) {
  for (;;) {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    if (Contents.length === 0) return;
    const Objects = Contents.map(({ Key }) => ({ Key }));
    await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
  }
}

function connect({ endpoint, region, forcePathStyle, credentials }) {
  return new S3Client({
    endpoint,
    region,
    forcePathStyle,
    credentials,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/** As in production, with the log written but not read. */
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
  for (const deadline = Date.now() + START_TIMEOUT_MS; ; await delay(100)) {
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
