import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { FaultProxy } from '../support/faults/fault-proxy.js';
import { newClient } from '../support/api/people.js';
import {
  launchProcess,
  newSettings,
  OWNER,
  type Service,
  type ServiceProcess,
} from '../support/services/service.js';
import { uniqueJpeg, Uploader } from '../support/api/uploads.js';

/** Longer than a rendition is held without a heartbeat. */
const LONG_MS = 13_000;

describe('A rendition that is being made', () => {
  let first: ServiceProcess;
  let second: Service;
  let store: FaultProxy;
  let uploader: Uploader;
  beforeAll(async () => {
    const settings = await newSettings();
    store = await FaultProxy.to(settings.STORAGE_ENDPOINT);
    first = await launchProcess({
      ...settings,
      STORAGE_ENDPOINT: store.endpoint,
      STORAGE_PUBLIC_ENDPOINT: settings.STORAGE_ENDPOINT,
      STORAGE_TIMEOUT_SECONDS: '30',
    });
    second = await first.another();
    const owner = await second.api.signIn(OWNER);
    uploader = Uploader.admin(owner, await newClient(owner));
  });
  afterEach(() => store.heal());
  afterAll(async () => {
    await Promise.all([first.kill(), second.stop()]);
    await store.close();
  });

  const thumb = async (at: Service, assetId: string) =>
    (await uploader.api.at(at.url).fetch('GET', `${uploader.base}/${assetId}/preview?size=thumb`)).status;
  /** Reads of the original: the rendition is made once for each. */
  const slowDown = (ms: number) => {
    const reading = { count: 0 };
    store.on(
      { method: 'GET', key: /\/assets\/[^/]+\/[^/]+$/ },
      {
        before: () => {
          reading.count++;
          return delay(ms);
        },
      },
    );
    return reading;
  };

  it('is left to its maker, however long that takes', async () => {
    const assetId = (await uploader.upload(uniqueJpeg())).assetId as string;
    const reading = slowDown(LONG_MS);
    const slow = thumb(first, assetId);
    await eventually(() => expect(reading.count).toBe(1));
    expect(await Promise.all([slow, thumb(second, assetId)])).toEqual([200, 200]);
    expect(reading.count).toBe(1);
  });

  it('by a process that is killed is made by another, while its caller waits', async () => {
    const assetId = (await uploader.upload(uniqueJpeg())).assetId as string;
    const reading = slowDown(LONG_MS);
    const lost = thumb(first, assetId).catch(() => 'lost');
    await eventually(() => expect(reading.count).toBe(1));
    await first.kill();
    expect(await lost).toBe('lost');
    store.heal();
    const startedAt = Date.now();
    expect(await thumb(second, assetId)).toBe(200);
    expect(Date.now() - startedAt).toBeLessThan(25_000);
  });
});
