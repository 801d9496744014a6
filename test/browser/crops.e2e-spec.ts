import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { expectAccessible } from '../support/browser/accessibility.js';
import { startBrowser } from '../support/browser/browser.js';
import { failuresIn, openAs, returnPage, startPages } from '../support/browser/pages.js';
import { newClient, newPerson } from '../support/api/people.js';
import { OWNER, type Service } from '../support/services/service.js';
import { SAMPLES, uniqueJpeg, Uploader } from '../support/api/uploads.js';

/** The page's own. */
declare const document: any;
declare const MutationObserver: any;
declare const requestAnimationFrame: (callback: () => void) => void;
declare const getComputedStyle: (element: any) => any;

let service: Service;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  service = await startPages({ WORKER: 'inline' });
  const owner = await service.api.signIn(OWNER);
  const clientId = await newClient(owner);
  const uploader = Uploader.admin(owner, clientId);
  const { assetId } = await uploader.upload(SAMPLES.jpeg, { title: 'Storefront' });
  await owner.patch(`${uploader.base}/${assetId}`, { focalPoint: { x: 0.1, y: 0.5 } });
  const small = await sharp(SAMPLES.jpeg.bytes).resize(400, 400).jpeg().toBuffer();
  await uploader.upload(uniqueJpeg(small), { title: 'Small' });
  await uploader.upload(SAMPLES.mp4, { title: 'Film' });
  browser = await startBrowser();
  const viewer = await newPerson(owner, { role: 'client_viewer', clientIds: [clientId] });
  page = await openAs(browser, service, viewer, '/library');
  page.setDefaultTimeout(15_000);
});
afterAll(async () => {
  if (page) {
    expect(failuresIn(page)).toEqual([]);
    await returnPage(page);
  }
  await browser?.close();
  await service?.stop();
});

const card = (title: string) => page.getByRole('row', { name: title, exact: true });
const details = () => page.getByRole('complementary', { name: 'Details' });
const crop = (shape: string) => details().getByRole('listitem').filter({ hasText: shape });

async function select(title: string): Promise<void> {
  await card(title).click({ position: { x: 90, y: 70 } });
  if (!(await details().isVisible())) await page.keyboard.press('i');
  await details().getByText(title, { exact: true }).waitFor();
}

describe('The lightbox', () => {
  it('shows the picture from the grid in its first frame, in the place of the large one', async () => {
    await card('Storefront').locator('img[data-loaded]').waitFor();
    // Routes would turn off the browser's caches.
    const devtools = await page.context().newCDPSession(page);
    const blockUrls = (urls: string[]) => devtools.send('Network.setBlockedURLs', { urls });
    await devtools.send('Network.enable');
    await blockUrls(['*size=large*']);
    const firstFrame = page.evaluate(
      () =>
        new Promise<{ width: number; height: number; isLoaded: boolean }>((resolve) => {
          const look = () => {
            const image = document.querySelector('.yarl__slide_current .lightbox-under img');
            const { width, height } = image?.getBoundingClientRect() ?? {};
            resolve({ width, height, isLoaded: image?.complete && image.naturalWidth > 0 });
          };
          const observer = new MutationObserver(() => {
            if (!document.querySelector('.yarl__root')) return;
            observer.disconnect();
            requestAnimationFrame(look);
          });
          observer.observe(document.body, { childList: true, subtree: true });
        }),
    );
    await card('Storefront').press('Enter');
    const first = await firstFrame;
    expect(first.isLoaded).toBe(true);
    await page.getByRole('dialog', { name: 'Storefront' }).getByText('Storefront').waitFor();

    await page.keyboard.press('Escape');
    await page.locator('.yarl__root').waitFor({ state: 'detached' });
    await blockUrls([]);
    await devtools.detach();
    await card('Storefront').press('Enter');
    const large = page.locator('.yarl__slide_current .yarl__slide_image:not(.yarl__slide_image_loading)');
    await large.waitFor();
    const { width, height } = (await large.boundingBox())!;
    expect(Math.abs(first.width - width)).toBeLessThanOrEqual(1);
    expect(Math.abs(first.height - height)).toBeLessThanOrEqual(1);
    await page.locator('.yarl__slide_current .lightbox-under').waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await page.locator('.yarl__root').waitFor({ state: 'detached' });
  });
});

describe('The crops in the details', () => {
  it('are downloaded one by one, by mouse or keyboard, in the size that is shown', async () => {
    await select('Storefront');
    for (const [shape, label, width, height] of [
      ['square', 'Square 1:1', 1067, 1067],
      ['portrait', 'Portrait 4:5', 853, 1066],
      ['landscape', 'Landscape 1.91:1', 1080, 566],
      ['story', 'Story 9:16', 600, 1066],
    ] as const) {
      await crop(label).getByText(`${width} × ${height}`).waitFor();
      const link = crop(label).getByRole('link', { name: `Download ${label}`, exact: true });
      const download = page.waitForEvent('download');
      if (shape === 'story') await link.press('Enter');
      else await link.click();
      const file = await download;
      expect(file.suggestedFilename()).toBe(`Storefront-social-${shape}-${width}x${height}.jpg`);
      expect(await sharp(await file.path()).metadata()).toMatchObject({ format: 'jpeg', width, height });
    }
    await crop('Story').getByText('Instagram story').waitFor();
    await expectAccessible(page);
  });

  it('are shown around the focal point, or as the service crops without one', async () => {
    await select('Storefront');
    const picture = crop('Square').locator('img');
    await picture.scrollIntoViewIfNeeded();
    expect(await picture.getAttribute('src')).toContain('size=small');
    expect(await picture.evaluate((image) => getComputedStyle(image).objectPosition)).toBe('0% 50%');
    await select('Small');
    await picture.scrollIntoViewIfNeeded();
    expect(await picture.getAttribute('src')).toContain('fit=social&shape=square');
  });

  it('say which shape the picture is too small for, and are missing for videos', async () => {
    await select('Small');
    await crop('Story').getByText('too small for this shape').waitFor();
    expect(await crop('Story').getByRole('link').count()).toBe(0);
    await crop('Square').getByRole('link').waitFor();
    await select('Film');
    await details().getByRole('heading', { name: 'Ready to publish' }).waitFor();
    expect(await details().getByRole('heading', { name: 'Crops' }).count()).toBe(0);
  });
});
