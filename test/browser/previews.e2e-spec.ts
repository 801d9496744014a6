import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { signedInPage, startBrowser } from '../support/browser/browser.js';
import { canPlay, distance, type Shown, showFilm, showPicture } from '../support/browser/in-page.js';
import { demoSample } from '../support/media/media-harness.js';
import { storedAs } from '../support/media/orientations.js';
import { newClient } from '../support/api/people.js';
import { OWNER, type Service, startService } from '../support/services/service.js';
import { type TestFile, Uploader } from '../support/api/uploads.js';

const root = join(__dirname, '../..');
const SIZES = [
  ['thumb', 256],
  ['small', 640],
  ['large', 1600],
] as const;
const TYPES: Record<string, string> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.heic': 'image/heic',
  '.mp4': 'video/mp4',
};
/** Files that may be rejected with a clear error. All others must be shown. */
const DAMAGED = /corrupt|malformed|damaged|sound-only/i;
/** In values from 0 to 255. */
const ALIKE = 3;

function filesIn(directory: string): TestFile[] {
  return readdirSync(directory)
    .sort()
    .flatMap((name) => {
      const mimeType = TYPES[extname(name).toLowerCase()];
      return mimeType ? [{ name, mimeType, bytes: readFileSync(join(directory, name)) }] : [];
    });
}

/** The project's own pictures and videos, and those of SAMPLES_DIR. */
const FILES = [
  join(root, 'src/embedded/samples'),
  join(root, 'test/fixtures/media'),
  ...(process.env['SAMPLES_DIR'] ? [process.env['SAMPLES_DIR']] : []),
].flatMap(filesIn);

/** The browser's names, for asking whether it can play them. */
const CODECS = {
  avc1: 'avc1.42E01E',
  hvc1: 'hvc1.1.6.L93.B0',
  hev1: 'hev1.1.6.L93.B0',
  vp09: 'vp09.00.10.08',
  av01: 'av01.0.04M.08',
};

let service: Service;
let admin: Uploader;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  service = await startService();
  const owner = await service.api.signIn(OWNER);
  admin = Uploader.admin(owner, await newClient(owner));
  browser = await startBrowser();
  page = await signedInPage(browser, service);
});
afterAll(async () => {
  const sheet = process.env['CONTACT_SHEET'];
  if (sheet) await page?.screenshot({ path: sheet, fullPage: true });
  await browser?.close();
  await service?.stop();
});

const pathOf = (assetId: string, size = '') => `${admin.base}/${assetId}/preview${size}`;

describe('In a browser', () => {
  it.each(FILES.filter(({ name }) => !DAMAGED.test(name)))(
    '$name looks right',
    async (file) => {
      const asset = await admin.upload(file);
      const longer = Math.max(asset.width, asset.height);
      const sized: Shown[] = [];
      for (const [size, side] of SIZES) {
        const shown = await showPicture(page, pathOf(asset.assetId, `?size=${size}`));
        const scale = Math.min(1, side / longer);
        expect(Math.abs(shown.width - asset.width * scale)).toBeLessThanOrEqual(1);
        expect(Math.abs(shown.height - asset.height * scale)).toBeLessThanOrEqual(1);
        sized.push(shown);
      }
      for (const other of sized.slice(1)) expect(distance(sized[0]!, other)).toBeLessThan(ALIKE);

      if (file.mimeType !== 'video/mp4') {
        const whole = await showPicture(page, pathOf(asset.assetId));
        expect([whole.width, whole.height]).toEqual([asset.width, asset.height]);
        expect(distance(whole, sized[2]!)).toBeLessThan(ALIKE);
        return;
      }
      const codec = Object.entries(CODECS).find(([box]) => file.bytes.includes(box))?.[1];
      if (codec && (await canPlay(page, codec))) {
        const film = await showFilm(page, pathOf(asset.assetId));
        expect([film.width, film.height]).toEqual([asset.width, asset.height]);
        expect(Math.abs(film.durationMs - asset.durationMs)).toBeLessThan(50);
        // The poster of a video that begins in the dark is a later picture.
        if (!file.name.startsWith('black-')) expect(distance(film, sized[2]!)).toBeLessThan(ALIKE * 2);
      } else {
        const response = await admin.api.fetch('GET', pathOf(asset.assetId));
        expect(response.headers.get('content-type')).toBe('video/mp4');
        expect(Buffer.from(await response.arrayBuffer()).equals(file.bytes)).toBe(true);
      }
    },
    120_000,
  );

  it.each(FILES.filter(({ name }) => DAMAGED.test(name)))(
    '$name is rejected with a clear error',
    async (file) => {
      const { status, body } = await admin.finalize(await admin.stage(file));
      expect(['415 content_mismatch', '422 media_invalid']).toContain(`${status} ${body.code}`);
    },
  );

  it('a picture stored on its side looks like the upright one, in every size', async () => {
    const upright = await sharp(demoSample('storefront.jpg')).resize(720, 480).png().toBuffer();
    const stored = async (orientation: number, tagged: boolean) => {
      const picture = storedAs(orientation, sharp(upright)).jpeg({ quality: 95 });
      const bytes = await (tagged ? picture.withMetadata({ orientation }) : picture).toBuffer();
      return (await admin.upload({ name: 'picture.jpg', mimeType: 'image/jpeg', bytes })).assetId as string;
    };
    const [one, six, untagged] = [await stored(1, true), await stored(6, true), await stored(6, false)];
    for (const size of ['', ...SIZES.map(([name]) => `?size=${name}`)]) {
      const standing = await showPicture(page, pathOf(one, size));
      const turned = await showPicture(page, pathOf(six, size));
      expect([turned.width, turned.height]).toEqual([standing.width, standing.height]);
      expect(distance(standing, turned)).toBeLessThan(3);
      expect(distance(standing, await showPicture(page, pathOf(untagged, size)))).toBeGreaterThan(20);
    }
  });

  it('nothing is shown on the page of another site', async () => {
    const { assetId } = await admin.upload(FILES[0]!);
    await showPicture(page, pathOf(assetId, '?size=thumb'));
    const elsewhere = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><body></body>');
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    // The same browser, still signed in: only the site is different.
    const foreign = await page.context().newPage();
    await foreign.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`);
    const shown = showPicture(foreign, service.url + pathOf(assetId, '?size=thumb'));
    await expect(shown).rejects.toThrow('cannot be decoded');
    await foreign.close();
    elsewhere.closeAllConnections();
    elsewhere.close();
  });
});
