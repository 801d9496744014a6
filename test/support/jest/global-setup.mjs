/** Starts one Postgres, one object store and one process for services for all end-to-end tests, and passes their addresses in the environment. */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Client } from 'pg';
import { startPostgres } from '@asset-library/embedded-postgres';
import { migrate } from '../../../dist/src/database/migrate.js';
import { findBrowser } from '../../../scripts/support/browser.mjs';
import { bundleService } from '../services/bundle.mjs';
import { useForeignStore } from '../store/foreign-store.mjs';

const PREFIX = 'asset-library-test-';

export default async function setUp({ testPathPatterns }) {
  removeAbandoned();
  const directory = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const running = { directory, stop: [] };
  globalThis.assetLibraryTestServers = running;

  const bundled = process.env.TEST_BUNDLED === 'true' ? bundleService(join(directory, 'programs')) : null;
  // Checking the password takes 2.9 of the 7.5 ms of a connection, and the tests open thousands.
  const authentication = join(directory, 'pg_hba.conf');
  writeFileSync(authentication, 'host all all 127.0.0.1/32 trust\n');
  const postgres = await startPostgres({
    directory: join(directory, 'postgres'),
    name: 'asset_library',
    // Test data need not survive a power failure.
    settings: {
      hba_file: authentication,
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '300',
      // It would visit each of the many databases every minute.
      autovacuum: 'off',
    },
  });
  running.stop.push(() => postgres.stop());
  running.stop.push(await startServiceHost(join(directory, 'services')));

  process.env.TEST_DATABASE_URL = postgres.url;
  process.env.TEST_TEMPLATE_DATABASE = await makeTemplate(postgres.url);
  if (bundled !== null) process.env.TEST_BUNDLE = await bundled;
  if (process.env.TEST_FOREIGN_STORE === 'true') running.stop.push(await useForeignStore());
  else running.stop.push(await startStore(join(directory, 'store')));

  if (!needsBrowser(testPathPatterns)) return;
  // Without it, only the tests that need it fail, with an explanation.
  await findBrowser().then(
    (path) => (process.env.TEST_BROWSER = path),
    (error) => (process.env.TEST_BROWSER_MISSING = error.message),
  );
}

function needsBrowser(testPathPatterns) {
  const directory = fileURLToPath(new URL('../../browser', import.meta.url));
  const selected = testPathPatterns.toExecutor({ rootDir: join(directory, '../..') });
  return readdirSync(directory).some((name) => selected.isMatch(join(directory, name)));
}

/** A migrated database: copying it takes a tenth of the time of migrating an empty one. */
async function makeTemplate(url) {
  const name = 'migrated';
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const template = new URL(url);
  template.pathname = `/${name}`;
  await migrate({ url: template.toString() });
  return name;
}

async function startStore(directory) {
  const accessKeyId = 'test-access-key';
  const secretAccessKey = randomBytes(20).toString('hex');
  const store = new Worker(new URL('../store/store-thread.mjs', import.meta.url), {
    workerData: { directory, host: '127.0.0.1', port: 0, accessKeyId, secretAccessKey },
  });
  const [endpoint] = await once(store, 'message');
  process.env.TEST_STORE_ENDPOINT = endpoint;
  process.env.TEST_STORE_ACCESS_KEY_ID = accessKeyId;
  process.env.TEST_STORE_SECRET_ACCESS_KEY = secretAccessKey;
  return () => store.terminate();
}

/** The process in which tests start services: see run-services.mjs. */
async function startServiceHost(logs) {
  mkdirSync(logs);
  const log = join(logs, 'host.log');
  const output = openSync(log, 'a');
  const { PATH, HOME, TMPDIR } = process.env;
  const host = fork(new URL('../services/run-services.mjs', import.meta.url), [logs], {
    execArgv: [...process.execArgv, '--enable-source-maps'],
    env: { PATH, HOME, TMPDIR, IGNORE_ENV_FILE: 'true' },
    stdio: ['ignore', output, output, 'ipc'],
  });
  closeSync(output);
  const ended = once(host, 'exit').then(() => {
    throw new Error(`The process for services has ended:\n${readFileSync(log, 'utf8')}`);
  });
  // Later, every test that needs a service fails, but only this shows why.
  ended.catch((error) => process.stderr.write(`${error.message}\n`));
  const [address] = await Promise.race([once(host, 'message'), ended]);
  process.env.TEST_SERVICE_HOST = address;
  process.env.TEST_SERVICE_LOGS = logs;
  return () => {
    host.removeAllListeners('exit');
    host.kill('SIGKILL');
  };
}

/** Left behind by a test run that was killed. */
function removeAbandoned() {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]);
    if (!pid || isRunning(pid)) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // Another user's: not ours to remove.
    }
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}
