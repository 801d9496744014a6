import { setTimeout as delay } from 'node:timers/promises';
import { MARKER } from '../support/store/bucket.js';
import { cli } from '../support/services/cli.js';
import { controlOf, Drill, expectControl, HOLD_MS } from '../support/faults/drill.js';
import { eventually } from '../support/eventually.js';
import { FaultProxy } from '../support/faults/fault-proxy.js';
import { FaultyService } from '../support/faults/faulty-service.js';
import { OwnPostgres } from '../support/database/own-postgres.js';
import { restoreCopy, restoreDump } from '../support/database/restored-copy.js';
import { query, type Service, type ServiceProcess } from '../support/services/service.js';
import type { StatementMatch } from '../support/faults/statement-proxy.js';
import { uniqueJpeg } from '../support/api/uploads.js';

jest.setTimeout(300_000);

// These look at the marker of the bucket, and speak plain HTTP.
const describeHere = process.env['TEST_STORE_BUCKET'] === undefined ? describe : describe.skip;

/** Longer than any copy would wait, with time to do harm. */
const LONG_MS = 2 * HOLD_MS + 1_500;

/** A busy machine must not delay production by as much as a physical copy waits. */
const PHYSICAL = { STORAGE_CONTROL_SECONDS: '3' };
const PHYSICAL_HOLD_MS = 6_000;

describeHere('A copy on a server of its own', () => {
  let postgres: OwnPostgres;
  let drill: Drill;
  const others: OwnPostgres[] = [];
  let copies: Service[] = [];
  beforeEach(async () => {
    postgres = await OwnPostgres.start();
    drill = await Drill.start({ ...PHYSICAL, DATABASE_URL: postgres.url });
  });
  afterEach(async () => {
    await drill.close(...copies);
    copies = [];
    for (const server of [postgres, ...others.splice(0)]) await server.remove();
  });

  const runCopy = async (server: OwnPostgres) => {
    const copy = await drill.copyOn(server.url);
    copies.push(copy);
    return copy;
  };

  const marker = async () => (await drill.bucket.read(MARKER)).toString();

  const changedFrom = (before: string) =>
    eventually(async () => {
      const now = await marker();
      expect(now).not.toBe(before);
      return now;
    });

  /** For as long as a copy would have to wait, and longer. */
  const expectNoControl = async (copy: Service, forMs = 2 * PHYSICAL_HOLD_MS) => {
    for (const end = Date.now() + forMs; Date.now() < end; await delay(500)) {
      expect(['waiting', 'copy', 'behind']).toContain(await controlOf(copy));
      await drill.provoke(copy);
    }
    await drill.expectUntouched();
    await drill.expectUsable(copy);
  };

  it('made with a dump destroys and delivers nothing, also while the original is stopped', async () => {
    const server = await OwnPostgres.start();
    others.push(server);
    const { env } = drill.production;
    expect(await cli({ ...env, DATABASE_URL: server.url }, 'migrate')).toMatchObject({ code: 0 });
    await restoreDump(postgres.url, server.url);
    await drill.production.stop();
    await postgres.stop();
    await expectNoControl(await runCopy(server));
    await postgres.launch();
    await drill.expectDone(await drill.startWork());
  });

  it('made of its files destroys and delivers nothing beside the running original, which is never interrupted', async () => {
    // Long enough for the copy to start before production has advanced.
    const slowly = { STORAGE_CONTROL_SECONDS: '10' };
    await drill.production.stop();
    drill.production = await drill.production.restart(slowly);
    await changedFrom(await marker());
    const server = await postgres.backUp();
    others.push(server);
    await server.launch();
    const copy = await runCopy(server);
    expect(await controlOf(copy)).toBe('waiting');
    await expectNoControl(copy, 25_000);
    expect(await controlOf(copy)).toBe('behind');
    expect(await controlOf(drill.production)).toBe('ok');
    expect(drill.production.output()).not.toContain('controls the bucket');
    await drill.expectDone(await drill.startWork());
  });

  it('made of its files destroys and delivers nothing after the original was stopped later, which then goes on', async () => {
    const server = await postgres.backUp();
    others.push(server);
    await changedFrom(await changedFrom(await marker()));
    await drill.production.stop();
    await postgres.stop();
    await server.launch();
    await expectNoControl(await runCopy(server));

    await postgres.launch();
    const production = await drill.startWork();
    // Its server was restarted, so it could be a copy itself.
    expect(await controlOf(production)).toBe('waiting');
    await drill.expectUntouched();
    await drill.expectDone(production);
  });

  it('that is a synchronous standby goes on by itself after a failover', async () => {
    const standby = await postgres.startStandby();
    others.push(standby);
    await delay(2 * PHYSICAL_HOLD_MS);
    expect(await controlOf(drill.production)).toBe('ok');
    await drill.production.stop();
    await postgres.stop();
    await standby.promote();
    const production = await runCopy(standby);
    expect(await controlOf(production)).toBe('waiting');
    await drill.provoke(production);
    await drill.expectUntouched();
    await drill.expectDone(production);
    expect(await controlOf(production)).toBe('ok');
  });
});

describeHere('A system that moves to another server', () => {
  it('goes on there after one claim, and the former one stops', async () => {
    const drill = await Drill.start();
    const copyUrl = await restoreCopy(drill.production.databaseUrl);
    await drill.production.stop();
    const moved = await drill.copyOn(copyUrl);
    await delay(LONG_MS);
    await drill.provoke(moved);
    await drill.expectUntouched();

    const claimed = await cli(moved.env, 'storage:claim');
    expect(claimed).toMatchObject({
      code: 0,
      output: expect.stringContaining('now controls the bucket') as string,
    });
    // The former one would have this long to notice.
    expect(await controlOf(moved)).toBe('waiting');
    await drill.provoke(moved);
    await drill.expectUntouched();
    await drill.expectDone(moved);
    await expectControl(moved, 'ok');
    expect((await cli(moved.env, 'storage:claim')).output).toBe('The bucket belongs to this installation.\n');

    const former = await drill.startWork();
    await expectControl(former, 'behind');
    const file = uniqueJpeg();
    const { assetId } = await (await drill.uploaderOf(moved)).upload(file);
    await drill.provoke(former);
    await delay(LONG_MS);
    expect((await (await drill.uploaderOf(moved)).download(assetId)).status).toBe(200);
    expect(drill.media.attachments).toHaveLength(1);
    expect(await controlOf(former)).toBe('behind');
    await drill.close(moved);
  });

  it('lets one of two claims win, and tells the other', async () => {
    const drill = await Drill.start();
    const store = await FaultProxy.to(process.env['TEST_STORE_ENDPOINT']!);
    const urls = [
      await restoreCopy(drill.production.databaseUrl),
      await restoreCopy(drill.production.databaseUrl),
    ];
    let waiting: (() => void)[] = [];
    store.on(
      { method: 'PUT', key: /^installation$/ },
      {
        before: () =>
          new Promise((resolve) => {
            waiting.push(resolve);
            if (waiting.length === urls.length) for (const go of waiting) go();
          }),
      },
    );
    await drill.production.stop();
    const claims = await Promise.all(
      urls.map((DATABASE_URL) =>
        cli({ ...drill.production.env, DATABASE_URL, STORAGE_ENDPOINT: store.endpoint }, 'storage:claim'),
      ),
    );
    expect(claims.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(claims.find(({ code }) => code === 1)!.output).toContain('at the same time');
    const [winner, loser] = claims[0]!.code === 0 ? urls : urls.toReversed();
    waiting = [];
    const second = await drill.copyOn(loser!);
    expect(await controlOf(second)).toBe('copy');
    await drill.provoke(second);
    await drill.expectUntouched();
    const first = await drill.copyOn(winner!);
    await drill.expectDone(first);
    expect([await controlOf(first), await controlOf(second)]).toEqual(['ok', 'copy']);
    await drill.close(first, second);
    await store.close();
  });
});

describeHere('A bucket whose marker has no nonce', () => {
  it('is controlled by nobody until somebody claims it, whoever is upgraded first', async () => {
    const drill = await Drill.start({ WORKER: 'off' });
    const { databaseUrl } = drill.production;
    await drill.production.stop();
    const [{ id }] = (await query<{ id: string }>(
      databaseUrl,
      `UPDATE installation SET nonce = NULL, next_nonce = NULL, advanced_at = NULL, database_identity = NULL,
          server_started_at = NULL, held_since = NULL RETURNING id`,
    )) as [{ id: string }];
    await drill.bucket.write(MARKER, id);
    const copy = await drill.copyOn(await restoreCopy(databaseUrl));
    await expectControl(copy, 'unclaimed');
    await drill.expectUsable(copy);
    await delay(LONG_MS);
    await drill.provoke(copy);
    await drill.expectUntouched();
    expect((await drill.bucket.read(MARKER)).toString()).toBe(id);

    const production = await drill.startWork();
    await expectControl(production, 'unclaimed');
    expect((await cli(production.env, 'storage:claim')).code).toBe(0);
    await drill.expectDone(production);
    expect(await controlOf(copy)).toBe('behind');
    await drill.close(copy);
  });
});

type CrashPoint = { when: 'before' | 'after' } & ({ sql: StatementMatch } | { store: 'PUT' });

const POINTS: Record<string, CrashPoint> = {
  'before the next nonce is stored': { when: 'before', sql: { statement: /SET next_nonce/ } },
  'after the next nonce is stored': { when: 'after', sql: { statement: /SET next_nonce/ } },
  'before the marker is replaced': { when: 'before', store: 'PUT' },
  'after the marker is replaced': { when: 'after', store: 'PUT' },
  'before the nonce is promoted': { when: 'before', sql: { statement: /next_nonce = NULL, advanced_at/ } },
  'after the nonce is promoted': { when: 'after', sql: { statement: /next_nonce = NULL, advanced_at/ } },
};

describeHere('kill -9 while the nonce is replaced', () => {
  let faulty: FaultyService<ServiceProcess>;
  beforeAll(async () => {
    faulty = await FaultyService.startProcess({ STORAGE_CONTROL_SECONDS: '1', WORKER: 'inline' });
    await faulty.uploader.upload(uniqueJpeg());
  });
  afterAll(() => faulty.close());

  it.each(Object.entries(POINTS))('%s: the system goes on by itself', async (_name, point) => {
    await new Promise<void>((reached) => {
      const call = () => {
        reached();
        return new Promise<void>(() => undefined);
      };
      const fault = point.when === 'before' ? { before: call } : { after: call };
      if ('sql' in point) faulty.database.on(point.sql, fault);
      else faulty.store.on({ method: point.store, key: /^installation$/ }, fault);
    });
    await faulty.crashAndRestart();
    const after = (await faulty.bucket.read(MARKER)).toString();
    expect(await controlOf(faulty.service)).toBe('ok');
    await eventually(async () => expect((await faulty.bucket.read(MARKER)).toString()).not.toBe(after));
    expect(await controlOf(faulty.service)).toBe('ok');
    expect(faulty.service.output()).not.toContain('controls the bucket');
  });
});
