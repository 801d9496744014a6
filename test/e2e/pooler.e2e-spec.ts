import { DataSource } from 'typeorm';
import { AccessPool } from '../../src/database/access-pool.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { Reads } from '../../src/database/reads.js';
import { readConfig } from '../../src/config/config.js';
import { QueuePool } from '../../src/jobs/queue-pool.js';
import { runJob } from '../support/services/background.js';
import { cli } from '../support/services/cli.js';
import { environmentOf } from '../support/services/environment.js';
import { eventually } from '../support/eventually.js';
import { newClient, newKey } from '../support/api/people.js';
import { Pooler, type PoolMode } from '../support/database/pooler.js';
import {
  launch,
  newSettings,
  OWNER,
  query,
  type Settings,
  spawnService,
} from '../support/services/service.js';
import { StatementProxy } from '../support/faults/statement-proxy.js';
import { uniqueJpeg, Uploader } from '../support/api/uploads.js';

const SETTINGS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
const PLANNING = ['jit', 'enable_seqscan', 'max_parallel_workers_per_gather'];
const BOUNDED = ['25s', '10s', '1min'];

/** The current settings of a connection, with the names in the same order. */
const SHOW = (names: readonly string[]) => ({
  name: 'show',
  text: `SELECT ${names.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}`,
});

describe('Behind a connection pooler in session mode', () => {
  let settings: Settings;
  let pooler: Pooler;
  beforeAll(async () => {
    settings = await newSettings();
    pooler = await Pooler.to(settings.DATABASE_URL, 'session');
  });
  afterAll(() => pooler.close());

  it('the service serves requests, runs jobs and notices changes', async () => {
    const service = await launch({ ...settings, DATABASE_URL: pooler.url, WORKER: 'inline' });
    try {
      const owner = await service.api.signIn(OWNER);
      const uploader = Uploader.admin(owner, await newClient(owner));
      await uploader.upload(uniqueJpeg());
      expect((await owner.get(`${uploader.base}?q=picture`)).status).toBe(200);
      expect((await service.api.get('/status')).body).toMatchObject({
        status: 'ok',
        checks: { database: 'ok', queue: 'ok' },
      });
      await runJob(service, 'expire-sessions');

      const { key, keyId } = await newKey(owner, { role: 'viewer' });
      expect((await service.api.as(key).get('/auth/me')).status).toBe(200);
      await query(settings.DATABASE_URL, 'UPDATE api_keys SET revoked_at = now() WHERE id = $1', [keyId]);
      await eventually(async () => expect((await service.api.as(key).get('/auth/me')).status).toBe(401));
      expect(service.output()).not.toMatch(/cannot listen|job queue/);
    } finally {
      await service.stop();
    }
  });

  it('every connection has its settings, sent once and not with each query', async () => {
    const statements = await StatementProxy.to(pooler.url);
    const sent = statements.count(/SET statement_timeout/);
    const url = statements.via(pooler.url);
    const config = readConfig({ ...settings, DATABASE_URL: url, DATABASE_TIMEOUT_SECONDS: '25' });
    const names = [...SETTINGS, ...PLANNING];
    const dataSource = await new DataSource(dataSourceOptions(config.database)).initialize();
    const access = new AccessPool(config);
    const reads = new Reads(config);
    const queue = new QueuePool(config.database, 2);
    const values = (rows: object[]) => Object.values(rows[0]!);
    const expected = [...BOUNDED, ...values(await query(settings.DATABASE_URL, SHOW(PLANNING).text))];
    try {
      const before = sent.times;
      for (let round = 0; round < 3; round++) {
        expect(values(await dataSource.query(SHOW(names).text))).toEqual(expected);
        expect(values(await access.find(SHOW(names)))).toEqual(expected);
        expect(values((await queue.query(SHOW(names))).rows)).toEqual(expected);
        const read = reads.run('client', 'light', (queries) => queries.query<object[]>(SHOW(names).text));
        expect(values(await read)).toEqual(['5s', '10s', '1min', 'off', 'off', '0']);
      }
      // The pool of TypeORM connected before.
      expect([before, sent.times]).toEqual([1, 4]);
    } finally {
      await Promise.all([
        dataSource.destroy(),
        access.onApplicationShutdown(),
        reads.onApplicationShutdown(),
        queue.end(),
      ]);
      await statements.close();
    }
  });
});

describe('Behind a connection pooler that keeps no sessions', () => {
  it.each<PoolMode>(['transaction', 'statement'])(
    'the service refuses to start, in one sentence (%s)',
    async (mode) => {
      const settings = await newSettings();
      const pooler = await Pooler.to(settings.DATABASE_URL, mode);
      try {
        const { host } = new URL(pooler.url);
        const sentence =
          `Cannot connect to the database at ${host}: a connection pooler there does not keep sessions; ` +
          'set it to session mode (PgBouncer: pool_mode = session) or connect directly.';
        const environment = { ...settings, DATABASE_URL: pooler.url };
        const starting = spawnService(environment);
        await expect(starting.listening).rejects.toThrow(/ended with 1/);
        expect(
          starting
            .output()
            .split('\n')
            .filter((line) => line.includes('database')),
        ).toEqual([sentence]);
        expect(starting.output()).not.toMatch(/\n\s+at |"stack"/);
        expect(await cli(environmentOf(environment), 'migrate')).toEqual({
          code: 1,
          output: `${sentence}\n`,
        });
      } finally {
        await pooler.close();
      }
    },
  );
});
