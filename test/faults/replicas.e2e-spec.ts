import { setTimeout as delay } from 'node:timers/promises';
import { drainQueue } from '../support/services/background.js';
import { eventually } from '../support/eventually.js';
import { MixedLoad } from '../support/faults/mixed-load.js';
import { OwnPostgres } from '../support/database/own-postgres.js';
import { newClient } from '../support/api/people.js';
import { OWNER, query, type ServiceProcess, startProcess } from '../support/services/service.js';
import { sha256, Uploader } from '../support/api/uploads.js';
import { startWorker, type Worker } from '../support/services/worker.js';

const SECONDS = Number(process.env['REPLICA_SECONDS'] ?? 8);
const UPLOADS = Number(process.env['REPLICA_UPLOADS'] ?? 2);
/** A restart would disturb the other tests, so only a long run gets its own Postgres. */
const OWN_POSTGRES = SECONDS >= 30;

describe('Two API processes and a worker', () => {
  let postgres: OwnPostgres | null = null;
  let first: ServiceProcess;
  let second: ServiceProcess;
  let worker: Worker;
  let load: MixedLoad;
  let uploader: Uploader;
  beforeAll(async () => {
    if (OWN_POSTGRES) postgres = await OwnPostgres.start();
    first = await startProcess({
      UPLOAD_LEASE_SECONDS: '2',
      ...(postgres ? { DATABASE_URL: postgres.url } : {}),
    });
    [second, worker] = await Promise.all([first.restart({ PORT: undefined }), startWorker(first.env)]);
    const owner = await first.api.signIn(OWNER);
    const clientId = await newClient(owner);
    uploader = Uploader.admin(owner, clientId);
    load = new MixedLoad([first.url, second.url], owner, clientId);
  });
  afterAll(async () => {
    await Promise.all([first.stop(), second.stop(), worker.stop()]);
    await postgres?.remove();
  });

  const breakDatabase = async () => {
    if (postgres) return postgres.restart();
    await query(
      first.databaseUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  };

  it(
    `keep every acknowledged upload through ${SECONDS} s of load, a kill -9 and an outage of Postgres`,
    async () => {
      const part = (SECONDS * 1_000) / 4;
      load.start({ uploads: UPLOADS, edits: 1, listings: 1, previews: 1, zips: 1 });
      await delay(part);
      const lossesEnd = load.expectLosses(second.url);
      await second.kill();
      second = await second.restart();
      lossesEnd();
      await delay(part);
      await breakDatabase();
      await delay(part);
      await worker.stop();
      worker = await startWorker(first.env);
      await breakDatabase();
      await delay(part);
      await load.stop();

      for (const service of [first, second]) {
        const child = service.process;
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(
            `A process ended with ${child.exitCode ?? child.signalCode}:\n${service.output().slice(-4_000)}`,
          );
      }
      expect(load.surprises).toEqual([]);
      expect(load.acknowledged.length).toBeGreaterThan(SECONDS / 4);
      // The outages must have had an effect; otherwise the test proves nothing.
      expect(Object.keys(load.outcomes).some((key) => /503|lost/.test(key))).toBe(true);

      for (const api of [first.api, second.api]) {
        await eventually(async () => {
          expect((await api.get('/readyz')).status).toBe(200);
          expect((await api.get('/status')).body).toMatchObject({ status: 'ok' });
        });
      }
      for (const [index, { assetId, sha256: expected, titles }] of load.acknowledged.entries()) {
        const at = index % 2 === 0 ? first : second;
        const here = new Uploader(uploader.api.at(at.url), uploader.base);
        expect(sha256((await here.download(assetId)).bytes)).toBe(expected);
        expect(titles).toContain((await here.api.get(`${here.base}/${assetId}`)).body.title);
      }
      const distinct = new Set(load.acknowledged.map(({ assetId }) => assetId));
      expect(distinct.size).toBe(load.acknowledged.length);
      await drainQueue(first, SECONDS * 2_000 + 75_000);
    },
    SECONDS * 4_000 + 120_000,
  );
});
