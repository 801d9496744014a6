import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Pool } from 'pg';
import { DATABASE_IDENTITY } from '../../../src/storage/database-identity.js';
import { Api } from '../api/api.js';
import { env, environmentOf, type Overrides, START_TIMEOUT_MS } from './environment.js';
import { serviceHost } from './service-host.js';

/** What it prints when it is ready. */
const LISTENING = '"msg":"listening"';

export const OWNER = { email: 'owner@test.example', password: 'owner-owner-owner' };

/** The part of a service that any test can use. */
export interface RunningService {
  readonly url: string;
  readonly port: number;
  readonly env: Record<string, string>;
  readonly databaseUrl: string;
  readonly bucket: string;
  readonly api: Api;
  /** A second instance of the same service, on the same database and bucket, in the process that runs several. */
  another(overrides?: Overrides): Promise<Service>;
}

/** For tests that do not share the service. */
export interface Service extends RunningService {
  /** Everything that it has printed so far. */
  output(): string;
  stop(): Promise<unknown>;
  /** Starts the same service again, on the same database and bucket. */
  restart(overrides?: Overrides): Promise<Service>;
}

/** For tests of what only a process has: its memory, its signals, its death. */
export interface ServiceProcess extends Service {
  readonly process: ChildProcess;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
  restart(overrides?: Overrides): Promise<ServiceProcess>;
}

export type Settings = Readonly<
  Record<'DATABASE_URL' | 'STORAGE_ENDPOINT' | 'STORAGE_BUCKET_NAME', string> & Record<string, string>
>;

/** Starts the real service with a new database and bucket, in a process that runs several: see run-services.mjs. */
export async function startService(overrides: Overrides = {}): Promise<Service> {
  return launch({ ...(await newSettings()), ...overrides });
}

/** The same, in a process of its own. */
export async function startProcess(overrides: Overrides = {}): Promise<ServiceProcess> {
  return launchProcess({ ...(await newSettings()), ...overrides });
}

/** The settings of a service that has not been started yet, for tests that insert proxies first. */
export async function newSettings(): Promise<Settings> {
  const name = `t${randomBytes(6).toString('hex')}`;
  const databaseUrl = await createDatabase(name);
  const foreign = foreignStore();
  if (foreign) {
    await setInstallation(databaseUrl, foreign.installationId);
    await hold(databaseUrl, foreign.nonce);
  } else await createBucket(name);
  return {
    DATABASE_URL: databaseUrl,
    AUTH_JWT_SECRET: 'test-secret-test-secret-test-secret',
    SECRETS_KEY: 'test-key-test-key-test-key-test-key',
    ADMIN_EMAIL: OWNER.email,
    ADMIN_PASSWORD: OWNER.password,
    // There is no load balancer that must notice the shutdown.
    SHUTDOWN_DRAIN_SECONDS: '0',
    // Few tests need background work, and it has six connections of its own. Those that do set `WORKER` to `inline`.
    WORKER: 'off',
    STORAGE_ACCOUNT_ID: 'test',
    STORAGE_ACCESS_KEY_ID: env('TEST_STORE_ACCESS_KEY_ID'),
    STORAGE_SECRET_ACCESS_KEY: env('TEST_STORE_SECRET_ACCESS_KEY'),
    STORAGE_BUCKET_NAME: name,
    STORAGE_ENDPOINT: env('TEST_STORE_ENDPOINT'),
    ...foreign?.settings,
  };
}

/** Like `startService`, but always as a separate installation. */
export async function startInstallation(overrides: Overrides = {}): Promise<Service> {
  const settings = await newSettings();
  await setInstallation(settings.DATABASE_URL, randomUUID());
  return launch({ ...settings, ...overrides });
}

async function setInstallation(databaseUrl: string, id: string): Promise<void> {
  await query(databaseUrl, 'DELETE FROM installation');
  await query(databaseUrl, 'INSERT INTO installation (id) VALUES ($1)', [id]);
}

/** As after the first upload, which claims the empty bucket. Does nothing if it has been claimed. */
export async function claimBucket({
  databaseUrl,
  bucket,
}: Pick<RunningService, 'databaseUrl' | 'bucket'>): Promise<void> {
  await query(databaseUrl, 'INSERT INTO installation (id) VALUES ($1) ON CONFLICT DO NOTHING', [
    randomUUID(),
  ]);
  const nonce = randomUUID();
  const claimed = await hold(databaseUrl, nonce);
  if (claimed === null) return;
  const client = storeClient();
  const Body = `${claimed} owned ${nonce}`;
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'installation', Body }));
  client.destroy();
}

/** Makes the database the one that wrote this nonce to the marker of its bucket long ago. Returns the id of the installation. */
async function hold(databaseUrl: string, nonce: string): Promise<string | null> {
  const [row] = await query<{ id: string }>(
    databaseUrl,
    `UPDATE installation SET nonce = $1, advanced_at = now(), held_since = to_timestamp(0), database_identity = ${DATABASE_IDENTITY},
        server_started_at = pg_postmaster_start_time() WHERE nonce IS NULL AND next_nonce IS NULL RETURNING id`,
    [nonce],
  );
  return row?.id ?? null;
}

/** For `npm run test:s3`: all services share its one bucket, as one installation. */
function foreignStore() {
  if (process.env['TEST_STORE_BUCKET'] === undefined) return null;
  return {
    installationId: env('TEST_STORE_INSTALLATION'),
    nonce: env('TEST_STORE_NONCE'),
    settings: {
      STORAGE_BUCKET_NAME: env('TEST_STORE_BUCKET'),
      STORAGE_REGION: env('TEST_STORE_REGION'),
      STORAGE_FORCE_PATH_STYLE: env('TEST_STORE_FORCE_PATH_STYLE'),
      // All of them control the bucket, as long as nobody advances.
      STORAGE_CONTROL_SECONDS: '86400',
    },
  };
}

/** Starts a service with exactly these settings. */
export async function launch(settings: Overrides): Promise<Service> {
  const port = settings['PORT'] ? Number(settings['PORT']) : await freePort();
  const output = serviceHost.followLog(port);
  await serviceHost.start({ ...settings, PORT: String(port) });
  let stopped: Promise<unknown> | undefined;
  return {
    ...runningAt(port, settings),
    output,
    stop: () => (stopped ??= serviceHost.stop(port)),
    restart: (overrides = {}) => launch({ ...settings, PORT: String(port), ...overrides }),
  };
}

/** The same, in a process of its own. */
export async function launchProcess(settings: Overrides): Promise<ServiceProcess> {
  const port = settings['PORT'] ? Number(settings['PORT']) : await freePort();
  const started = spawnService({ ...settings, PORT: String(port) });
  await started.listening;
  const kill = async () => {
    if (started.process.exitCode !== null || started.process.signalCode !== null) return;
    started.process.kill('SIGKILL');
    await once(started.process, 'exit');
  };
  return {
    ...runningAt(port, settings),
    process: started.process,
    output: started.output,
    kill,
    async stop() {
      if (started.process.exitCode !== null) return started.process.exitCode;
      started.process.kill('SIGTERM');
      const [code] = (await once(started.process, 'exit')) as [number | null];
      return code;
    },
    restart: (overrides = {}) => launchProcess({ ...settings, PORT: String(port), ...overrides }),
  };
}

/** A service with these settings that listens on this port. */
export function runningAt(port: number, settings: Overrides): RunningService {
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    env: environmentOf({ ...settings, PORT: String(port) }),
    databaseUrl: settings['DATABASE_URL'] ?? '',
    bucket: settings['STORAGE_BUCKET_NAME'] ?? '',
    api: new Api(url),
    another: (overrides = {}) => launch({ ...settings, PORT: undefined, ...overrides }),
  };
}

/** Runs the service with exactly these settings, for tests of its output when it does not start. */
export function spawnService(settings: Overrides) {
  const child = spawn(process.execPath, program('main', '--enable-source-maps'), {
    env: environmentOf(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  let isListening = false;
  const listening = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The service did not start:\n${text}`)),
      START_TIMEOUT_MS,
    );
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      if (isListening || !text.includes(LISTENING)) return;
      isListening = true;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The service ended with ${code}:\n${text}`));
    });
  });
  listening.catch(() => undefined);
  return { process: child, listening, output: () => text };
}

const PROGRAMS = { main: 'main.js', worker: 'worker.js', cli: 'cli/main.js' };

/** As much as a start needs. Not more, because some tests limit the memory of a service. */
const INITIAL_HEAP = '--initial-old-space-size=96';

/**
 * The arguments for Node: the flags of the tests themselves, except for their large heap; and the bundle that global-setup.mjs made for
 * `npm test`, or the built service.
 */
export function program(name: keyof typeof PROGRAMS, ...flags: string[]): string[] {
  const bundle = process.env['TEST_BUNDLE'];
  const file = bundle ? join(bundle, `${name}.cjs`) : join(__dirname, '../../../dist/src', PROGRAMS[name]);
  const own = process.execArgv.filter((flag) => !flag.startsWith('--initial-heap-size'));
  return [...own, INITIAL_HEAP, ...flags, file];
}

export async function query<T = Record<string, unknown>>(
  databaseUrl: string,
  sql: string,
  values: unknown[] = [],
): Promise<T[]> {
  return (await poolOf(databaseUrl).query(sql, values)).rows as T[];
}

const pools = new Map<string, Pool>();

/** Connections are kept while a test polls: opening one costs more than most queries. */
function poolOf(databaseUrl: string): Pool {
  const known = pools.get(databaseUrl);
  if (known) return known;
  const pool = new Pool({ connectionString: databaseUrl, idleTimeoutMillis: 10_000, allowExitOnIdle: true });
  // The server may stop while a connection is idle.
  pool.on('error', () => undefined);
  pools.set(databaseUrl, pool);
  return pool;
}

export function storeClient(): S3Client {
  return new S3Client({
    endpoint: env('TEST_STORE_ENDPOINT'),
    region: process.env['TEST_STORE_REGION'] ?? 'auto',
    forcePathStyle: process.env['TEST_STORE_FORCE_PATH_STYLE'] !== 'false',
    credentials: {
      accessKeyId: env('TEST_STORE_ACCESS_KEY_ID'),
      secretAccessKey: env('TEST_STORE_SECRET_ACCESS_KEY'),
    },
  });
}

async function createDatabase(name: string): Promise<string> {
  await query(env('TEST_DATABASE_URL'), `CREATE DATABASE ${name} TEMPLATE ${env('TEST_TEMPLATE_DATABASE')}`);
  const url = new URL(env('TEST_DATABASE_URL'));
  url.pathname = `/${name}`;
  return url.toString();
}

async function createBucket(name: string): Promise<void> {
  const client = storeClient();
  await client.send(new CreateBucketCommand({ Bucket: name }));
  client.destroy();
}

/** Outside the range from which the system takes ports for connections, so that none of them can occupy it before the service does. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return once(server, 'close').then(() => port);
  }
}
