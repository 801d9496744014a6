import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { runJob } from '../support/services/background.js';
import { eventually } from '../support/eventually.js';
import { FaultProxy } from '../support/faults/fault-proxy.js';
import { tileOf, writeHeif } from '../support/media/heif-writer.js';
import { fixture } from '../support/media/media-harness.js';
import { newClient } from '../support/api/people.js';
import {
  launchProcess,
  newSettings,
  OWNER,
  query,
  type ServiceProcess,
  startProcess,
} from '../support/services/service.js';
import { FILES, type TestFile, uniqueJpeg, Uploader } from '../support/api/uploads.js';

/** In the long test run: as many slow files as once filled the queue of all clients. */
const PNGS = Number(process.env['SLOW_PNGS'] ?? 6);
const HEICS = Number(process.env['SLOW_HEICS'] ?? 5);

describe('One client with many slow files', () => {
  let service: ServiceProcess;
  let flooding: Uploader;
  let other: Uploader;
  beforeAll(async () => {
    service = await startProcess({ WORKER: 'inline', AUTH_ACCESS_TOKEN_SECONDS: '3600' });
    const owner = await service.api.signIn(OWNER);
    other = Uploader.admin(owner, await newClient(owner));
  });
  beforeEach(async () => (flooding = Uploader.admin(other.api, await newClient(other.api))));
  afterAll(() => service.kill());

  const unfinished = async () => {
    const [row] = await query<{ count: string }>(
      service.databaseUrl,
      `SELECT count(*) FROM upload_sessions WHERE client_id = $1 AND status = 'finalizing'`,
      [flooding.base.split('/')[3]],
    );
    return Number(row!.count);
  };

  /** Finalizes every file in parallel. Resolves when the decoders are busy with them; the responses arrive later. */
  const flood = async (file: TestFile, count: number) => {
    const sessions = [];
    for (let index = 0; index < count; index += 1) {
      const bytes = Buffer.concat([file.bytes, Buffer.from(randomUUID())]);
      sessions.push(await flooding.stage({ ...file, bytes }));
    }
    const responses = Promise.all(sessions.map((session) => flooding.finalize(session)));
    while ((await unfinished()) < Math.min(count * 0.8, 100)) await delay(50);
    return { responses };
  };

  const expectOthersUnaffected = async (count: number) => {
    for (let round = 0; round < 3; round += 1) {
      const response = await other.finalize(await other.stage(uniqueJpeg()));
      expect(response.status).toBe(201);
      const preview = await other.api.fetch(
        'GET',
        `${other.base}/${response.body.assetId}/preview?size=thumb`,
      );
      expect(preview.status).toBe(200);
      await preview.arrayBuffer();
    }
    expect(await unfinished()).toBeGreaterThan(count / 3);
  };

  it('leaves the decoders to others: interlaced PNGs', async () => {
    const picture = { width: 7_000, height: 7_000, channels: 3 as const, background: '#336699' };
    const bytes = await sharp({ create: picture }).png({ progressive: true }).toBuffer();
    const { responses } = await flood({ ...FILES.png, bytes }, PNGS);
    await expectOthersUnaffected(Math.min(PNGS, 200));
    for (const { status } of await responses) expect(status).not.toBe(500);
  }, 180_000);

  it('leaves the decoders to others: large HEICs', async () => {
    // 16 megapixels: libheif accepts at most 1,000 items, and our tile is small.
    const tile = tileOf(fixture('still.heic'), 128);
    const bytes = writeHeif(tile, { grid: { rows: 31, columns: 31 } });
    const { responses } = await flood({ ...FILES.heic, bytes }, HEICS);
    await expectOthersUnaffected(HEICS);
    for (const { status } of await responses) expect([201, 409]).toContain(status);
  }, 180_000);
});

describe('One client whose previews take a long time to make', () => {
  /** More than the worker runs in parallel. */
  const SLOW = 8;
  let service: ServiceProcess;
  let store: FaultProxy;
  beforeAll(async () => {
    const settings = await newSettings();
    store = await FaultProxy.to(settings.STORAGE_ENDPOINT);
    service = await launchProcess({
      ...settings,
      STORAGE_ENDPOINT: store.endpoint,
      STORAGE_PUBLIC_ENDPOINT: settings.STORAGE_ENDPOINT,
      STORAGE_TIMEOUT_SECONDS: '60',
      WORKER: 'inline',
    });
  });
  afterAll(async () => {
    store.heal();
    await service.kill();
    await store.close();
  });

  it("delays neither another client's previews nor other background jobs", async () => {
    const owner = await service.api.signIn(OWNER);
    const [slowClient, otherClient] = [await newClient(owner), await newClient(owner)];
    const [slow, other] = [Uploader.admin(owner, slowClient), Uploader.admin(owner, otherClient)];
    const uploads = [];
    for (let index = 0; index < SLOW; index += 1) uploads.push(await slow.stage(uniqueJpeg()));

    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const held = new Set<string>();
    const renditions = new RegExp(`${slowClient}/assets/[^/]+/renditions/`);
    const hold = ({ key }: { key: string }) => {
      held.add(key.split('/')[3]!);
      return released;
    };
    store.on({ method: 'PUT', key: renditions }, { before: hold });
    for (const upload of uploads) expect((await slow.finalize(upload)).status).toBe(201);
    await eventually(() => expect(held.size).toBeGreaterThanOrEqual(2), 20_000);

    const { assetId } = (await other.upload(uniqueJpeg())) as { assetId: string };
    await eventually(async () => {
      const made = await query(
        service.databaseUrl,
        `SELECT FROM renditions WHERE asset_id = $1 AND status = 'ready'`,
        [assetId],
      );
      expect(made.length).toBeGreaterThan(0);
    }, 20_000);
    await runJob(service, 'expire-sessions');

    // One client's previews are made two at a time, and all of them in the end.
    expect(held.size).toBe(2);
    release();
    await eventually(async () => {
      const made = await query(
        service.databaseUrl,
        `SELECT FROM renditions WHERE client_id = $1 AND status = 'ready'`,
        [slowClient],
      );
      expect(made).toHaveLength(2 * SLOW);
    }, 60_000);
  });
});
