import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { attachmentsOf, DeliveringClient, expectOnce, QUICK_DELIVERIES } from '../support/api/deliveries.js';
import { eventually, Signal } from '../support/eventually.js';
import { sampleCases } from '../support/jest/sample-cases.js';
import { launch, newSettings, type Service, startService } from '../support/services/service.js';
import { type StatementMatch, StatementProxy } from '../support/faults/statement-proxy.js';
import { TcpProxy } from '../support/faults/tcp-proxy.js';
import { startWorker, type Worker } from '../support/services/worker.js';
import {
  type LookupFault,
  type MediaMoment,
  type UploadFault,
  WordPressMediaLibrary,
} from '../support/wordpress/wordpress-media.js';
import type { WordPressSettings } from '../support/wordpress/wordpress-site.js';

const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 1);
const DOWN_SECONDS = Number(process.env['TARGET_DOWN_SECONDS'] ?? 2);
/** The maximum time for all attempts together. */
const PATIENCE_MS = 60_000 + DOWN_SECONDS * 2_000;

interface Fault {
  readonly uploads?: UploadFault[];
  readonly lookups?: LookupFault[];
  /** What the site does later. */
  readonly then?: (media: WordPressMediaLibrary) => void;
  /** The total number of uploads that the site receives. */
  readonly sent: number;
}

/** Everything that ends with exactly one attachment. */
const SURVIVED: Record<string, Fault> = {
  'the connection is cut before the upload': { uploads: ['cut_before'], sent: 2 },
  'the connection is cut during the upload': { uploads: ['cut_midway'], sent: 2 },
  'the connection is cut after the upload was stored': { uploads: ['cut_after'], sent: 1 },
  'the site stores the upload and never responds': { uploads: ['hang_after'], sent: 1 },
  'a proxy responds with 502 although the upload was stored': { uploads: ['stored_502'], sent: 1 },
  'the row appears only during the next upload': { uploads: ['late'], sent: 2 },
  'the row appears after the response to the next upload': {
    uploads: ['very_late'],
    then: (media) => media.once('responded', () => media.appearLate()),
    sent: 2,
  },
  'two rows have the same slug': { uploads: ['stored_twice'], sent: 1 },
  'two rows have the same slug and one cannot be deleted at first': {
    uploads: ['stored_twice'],
    lookups: ['none', 'forbidden'],
    sent: 1,
  },
  'the site is still processing the upload': {
    uploads: ['unfinished'],
    then: (media) => media.once('looked_up', () => media.finishProcessing()),
    sent: 1,
  },
  'the site never finishes processing the upload': {
    uploads: ['unfinished'],
    then: (media) => media.once('looked_up', () => void (media.clockAheadMs = 180_000)),
    sent: 2,
  },
  'only a part of the file is there': { uploads: ['partial'], sent: 2 },
  'processing fails after the upload was stored': { uploads: ['fatal'], sent: 1 },
  'the response is empty': { uploads: ['empty'], sent: 1 },
  'PHP warnings precede the JSON': { uploads: ['warnings'], sent: 1 },
  'the site scales the picture and its response is lost': { uploads: ['scaled'], sent: 1 },
  'the site is slow': { uploads: ['slow'], sent: 1 },
  'the site responds with an error page': { uploads: ['page_500'], sent: 2 },
  'the file arrives damaged': { uploads: ['damaged_412'], sent: 2 },
  'the site is in maintenance mode': { uploads: ['maintenance_503'], sent: 2 },
  'the site receives too many requests': { uploads: ['busy_429'], sent: 2 },
  'the disk of the site is full for a moment': { uploads: ['type_refused'], sent: 2 },
  'the response is lost and the lookups fail': {
    uploads: ['cut_after'],
    lookups: ['page_500', 'cut', 'page_200'],
    sent: 1,
  },
  'the response is lost and no lookup succeeds before the last attempt': {
    uploads: ['cut_after'],
    lookups: ['cut', 'cut', 'cut', 'cut'],
    sent: 1,
  },
  'everything goes wrong, one thing after the other': {
    uploads: ['cut_midway', 'late', 'stored_502'],
    lookups: ['none', 'cut'],
    sent: 3,
  },
};

interface Refusal {
  readonly uploads?: UploadFault[];
  readonly site?: Partial<WordPressSettings>;
  readonly code: string;
}

/** Failures that no retry can fix. */
const REFUSED: Record<string, Refusal> = {
  'the web server rejects the file as too large': {
    uploads: ['too_large_413'],
    code: 'file_too_large_for_target',
  },
  'the form is larger than post_max_size': { uploads: ['post_max_size'], code: 'file_too_large_for_target' },
  'the file is larger than upload_max_filesize': {
    uploads: ['upload_max_filesize'],
    code: 'file_too_large_for_target',
  },
  'the credentials are no longer valid': {
    site: { fault: 'authorization_dropped' },
    code: 'credentials_refused',
  },
  'the user may no longer upload': { site: { role: 'subscriber' }, code: 'upload_not_permitted' },
  'a firewall blocks the upload': { site: { fault: 'firewall' }, code: 'upload_not_permitted' },
  'the web server requires a password': { site: { fault: 'staging' }, code: 'target_behind_password' },
  'the site has moved': { site: { redirectTo: 'http://127.0.0.2:8080' }, code: 'target_moved' },
};

describe('A delivery', () => {
  let service: Service;
  let client: DeliveringClient;
  const sites: WordPressMediaLibrary[] = [];
  beforeAll(async () => {
    // The last pause is longer than a target is down.
    const schedule = `1,1,1,${DOWN_SECONDS + 6}`;
    service = await startService({
      ...QUICK_DELIVERIES,
      DELIVERY_RETRY_SECONDS: schedule,
      // Long enough that the service never gives up on a site that responds, even if all cases run in parallel on a busy machine.
      DELIVERY_ANSWER_SECONDS: '6',
      DELIVERY_CONCURRENCY: '40',
    });
    client = await DeliveringClient.create(service);
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all(sites.map(({ site }) => site.stop()));
  });

  /** One after the other, because only a few targets are verified in parallel. */
  let creating: Promise<unknown> = Promise.resolve();
  const newSite = async () => {
    const media = await WordPressMediaLibrary.start();
    sites.push(media);
    const created = creating.then(() => client.newTarget(media.site.target()));
    creating = created.catch(() => undefined);
    return { media, targetId: await created };
  };

  /** All cases run in parallel, each with its own site. */
  const running = new Map<string, Promise<void>>();
  const start = (name: string, work: () => Promise<void>) => {
    const outcome = work();
    outcome.catch(() => undefined);
    running.set(name, outcome);
  };

  describe('arrives exactly once when', () => {
    beforeAll(() => {
      for (const [name, { uploads = [], lookups = [], then, sent }] of Object.entries(SURVIVED)) {
        start(name, async () => {
          const { media, targetId } = await newSite();
          media.failUploads(...uploads);
          media.failLookups(...lookups);
          then?.(media);
          const asset = await client.newAsset();
          const { body } = await client.create(asset.assetRef, targetId);
          await eventually(async () => {
            await client.waitUntilSettled(body.deliveryId);
            expect((await client.get(body.deliveryId)).status).toBe('delivered');
          }, PATIENCE_MS);
          expectOnce(media, await client.get(body.deliveryId));
          expect(media.uploads).toBe(sent);
          expect(await client.usages(asset.assetId)).toHaveLength(1);
        });
      }
    });
    it.each(Object.keys(SURVIVED))('%s', (name) => running.get(name), PATIENCE_MS * 3);
  });

  it('whose processing failed gets its smaller sizes made', async () => {
    const { media, targetId } = await newSite();
    media.failUploads('fatal');
    const { deliveryId } = await client.deliver(targetId);
    const delivery = await client.waitFor(deliveryId, 'delivered');
    expect(delivery.attempts).toBe(1);
    expect([media.postProcessed, expectOnce(media, delivery).hasSizes]).toEqual([1, true]);
  });

  describe('fails immediately, and leaves nothing, when', () => {
    beforeAll(() => {
      for (const [name, { uploads = [], site = {}, code }] of Object.entries(REFUSED)) {
        start(name, async () => {
          const { media, targetId } = await newSite();
          media.failUploads(...uploads);
          Object.assign(media.site.settings, site);
          const { deliveryId } = await client.deliver(targetId);
          const failed = await client.waitFor(deliveryId, 'failed');
          expect(failed).toMatchObject({ attempts: 1, lastError: { code, step: 'upload' }, remoteId: null });
          expect(failed.lastError.detail).not.toMatch(/<|\/var\/www/);
          expect(attachmentsOf(media, deliveryId)).toEqual([]);
        });
      }
    });
    it.each(Object.keys(REFUSED))('%s', (name) => running.get(name), PATIENCE_MS * 3);
  });

  it(
    'to a target that is down arrives once it is back, and delays no other target',
    async () => {
      const { media, targetId } = await newSite();
      const down = await WordPressMediaLibrary.start();
      sites.push(down);
      const proxy = await TcpProxy.to(down.site.origin);
      down.site.settings.restRoot = `http://127.0.0.1:${proxy.port}/wp-json/`;
      const downTarget = await client.newTarget(
        down.site.target({ baseUrl: `http://127.0.0.1:${proxy.port}` }),
      );
      await proxy.set('refuse');
      const waiting = [await client.deliver(downTarget), await client.deliver(downTarget)];
      const other = await client.deliver(targetId);
      expectOnce(media, await client.waitFor(other.deliveryId, 'delivered', 10_000));
      for (const { deliveryId } of waiting) {
        await eventually(async () => {
          const { status, lastError } = await client.get(deliveryId);
          expect([status, lastError?.code]).toEqual(['queued', 'target_unreachable']);
        });
      }
      await delay(DOWN_SECONDS * 1_000);
      await proxy.set('pass');
      for (const { deliveryId } of waiting)
        expectOnce(down, await client.waitFor(deliveryId, 'delivered', PATIENCE_MS));
      await proxy.close();
    },
    PATIENCE_MS * 3,
  );

  it(
    'without any response fails after its last attempt, and what the site has by then is found',
    async () => {
      const { media, targetId } = await newSite();
      media.failUploads('cut_after');
      media.failLookups('cut', 'cut', 'cut', 'cut', 'cut');
      const asset = await client.newAsset();
      const { body } = await client.create(asset.assetRef, targetId);
      const seen = new Set<string>();
      await eventually(async () => {
        const { status, attempts } = await client.get(body.deliveryId);
        seen.add(`${status} ${attempts}`);
        expect(status).toBe('delivered');
      }, PATIENCE_MS);
      expect([...seen]).toContain('failed 5');
      expectOnce(media, await client.get(body.deliveryId));
      expect(await client.usages(asset.assetId)).toHaveLength(1);
    },
    PATIENCE_MS * 2,
  );

  it('that is cancelled between two attempts leaves nothing on the site', async () => {
    const { media, targetId } = await newSite();
    media.failUploads('cut_after');
    media.failLookups('cut', 'cut', 'cut');
    const { deliveryId } = await client.deliver(targetId);
    await eventually(async () => expect((await client.post(deliveryId, 'cancel')).status).toBe(200));
    media.failLookups();
    await client.waitUntilSettled(deliveryId);
    await eventually(() => expect(attachmentsOf(media, deliveryId)).toEqual([]));
    expect((await client.get(deliveryId)).status).toBe('cancelled');
  });
});

type KillPoint = {
  readonly faults?: UploadFault[];
  /** SIGTERM: the worker exits by itself, and aborts the upload after 15 seconds. */
  readonly signal?: 'SIGTERM';
} & ({ readonly at: MediaMoment } | { readonly when: 'before' | 'after'; readonly sql: StatementMatch });

const START = /UPDATE deliveries SET lease_id = \$3/;
const ANNOUNCE = /UPDATE deliveries SET is_sending = true/;
const DELIVERED = /UPDATE deliveries SET status = 'delivered'/;
const FAILED = /UPDATE deliveries SET status = \$\d/;

const KILL_POINTS: Record<string, KillPoint> = {
  'before the delivery is claimed': { when: 'before', sql: { statement: START } },
  'after the delivery is claimed': { when: 'after', sql: { statement: /COMMIT/, since: START } },
  'before the attempt is recorded': { when: 'before', sql: { statement: ANNOUNCE } },
  'after the attempt is recorded': { when: 'after', sql: { statement: ANNOUNCE } },
  'when the site sees the upload': { at: 'upload' },
  'during the upload': { at: 'upload_midway' },
  'when the site has all bytes': { at: 'upload_received' },
  'after the upload is stored, before the response': { at: 'stored' },
  'after the response': { at: 'responded' },
  'before the success is recorded': { when: 'before', sql: { statement: DELIVERED } },
  'before the success is committed': { when: 'before', sql: { statement: /COMMIT/, since: DELIVERED } },
  'when its slug is to be replaced': { at: 'rename' },
  'after its slug was replaced': { at: 'renamed' },
  'after the success is committed': { when: 'after', sql: { statement: /COMMIT/, since: DELIVERED } },
  'before a failure is recorded': { faults: ['cut_after'], when: 'before', sql: { statement: FAILED } },
  'when a retry looks for the upload': { faults: ['cut_after'], at: 'look_up' },
  'after a retry has found the upload': { faults: ['cut_after'], at: 'looked_up' },
  'before an incomplete upload is deleted': { faults: ['partial'], at: 'delete' },
  'after an incomplete upload is deleted': { faults: ['partial'], at: 'deleted' },
  'by SIGTERM while the site does not respond': { faults: ['hang_after'], at: 'stored', signal: 'SIGTERM' },
};

/** The lease, a pause before the next attempt, and the attempt on a busy machine. Nothing else may decide when another worker takes over. */
const TAKEN_OVER_MS = 15_000;

describe('A worker that is killed', () => {
  let service: Service;
  let client: DeliveringClient;
  let proxy: StatementProxy;
  let worker: Worker;
  let media: WordPressMediaLibrary;
  let targetId: string;
  let workerSettings: Record<string, string>;
  beforeAll(async () => {
    const settings = await newSettings();
    proxy = await StatementProxy.to(settings.DATABASE_URL);
    // Longer than the worker waits for its jobs when it is stopped.
    const quick = { ...QUICK_DELIVERIES, DELIVERY_ANSWER_SECONDS: '60', DELIVERY_LEASE_SECONDS: '3' };
    workerSettings = { ...settings, ...quick, DATABASE_URL: proxy.via(settings.DATABASE_URL) };
    service = await launch({ ...settings, ...quick, WORKER: 'off', AUTH_ACCESS_TOKEN_SECONDS: '86400' });
    client = await DeliveringClient.create(service);
    media = await WordPressMediaLibrary.start();
    targetId = await client.newTarget(media.site.target());
    worker = await startWorker(workerSettings);
  });
  afterAll(async () => {
    worker.process.kill('SIGKILL');
    await service.stop();
    await media.site.stop();
    await proxy.close();
  });

  const killAt = (point: KillPoint): Signal => {
    const reached = new Signal();
    const kill = async () => {
      const ended = once(worker.process, 'exit');
      worker.process.kill(point.signal ?? 'SIGKILL');
      await ended;
      reached.fire();
    };
    media.failUploads(...(point.faults ?? []));
    if ('at' in point) media.once(point.at, kill);
    else proxy.on(point.sql, point.when === 'before' ? { before: kill } : { after: kill });
    return reached;
  };

  for (let round = 1; round <= ROUNDS; round++) {
    it.each(sampleCases(Object.entries(KILL_POINTS), 3))(
      `%s (round ${round}) leaves exactly one attachment and one usage`,
      async (_name, point) => {
        const asset = await client.newAsset();
        const reached = killAt(point);
        const { body } = await client.create(asset.assetRef, targetId);
        await reached.wait('the point', 60_000);
        proxy.heal();
        media.heal();
        worker = await startWorker(workerSettings);
        await client.waitFor(body.deliveryId, 'delivered', TAKEN_OVER_MS);
        await client.waitUntilSettled(body.deliveryId);
        expectOnce(media, await client.get(body.deliveryId));
        expect(await client.usages(asset.assetId)).toHaveLength(1);
      },
      180_000,
    );
  }
});
