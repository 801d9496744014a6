import type { Browser, Page } from 'playwright-core';
import { expectAccessible } from '../support/browser/accessibility.js';
import type { Api } from '../support/api/api.js';
import { startBrowser } from '../support/browser/browser.js';
import { eventually } from '../support/eventually.js';
import { misplacedOn } from '../support/browser/layout.js';
import { Library } from '../support/api/library.js';
import { failuresIn, openAs, startPages } from '../support/browser/pages.js';
import { newClient } from '../support/api/people.js';
import { OWNER, type Service } from '../support/services/service.js';
import { uniqueJpeg, Uploader } from '../support/api/uploads.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const TITLES = ['Bread', 'Cake', 'Croissant'];

let service: Service;
let owner: Api;
let browser: Browser;
let clientId: string;
let page: Page;

beforeAll(async () => {
  service = await startPages({ WORKER: 'inline' });
  owner = await service.api.signIn(OWNER);
  browser = await startBrowser();
  clientId = await newClient(owner, 'Bakery Blum');
  const library = new Library(owner, `/admin/clients/${clientId}/assets`);
  for (let n = 1; n <= 8; n++) await library.folder(`Week ${n}`);
  const uploader = Uploader.admin(owner, clientId);
  for (const title of TITLES) await uploader.upload(uniqueJpeg(), { title, tags: [title.toLowerCase()] });
  page = await openAs(browser, service, OWNER, '/clients', PHONE);
  page.setDefaultTimeout(15_000);
});
afterAll(async () => {
  if (page) expect(failuresIn(page)).toEqual([]);
  await page?.context().close();
  await browser?.close();
  await service?.stop();
});
beforeEach(() => openLibrary());

async function openLibrary(path = `/clients/${clientId}/assets`): Promise<void> {
  await page.goto(service.url + path);
  await card('Bread').waitFor();
}
const card = (title: string) => page.getByRole('row', { name: title, exact: true });
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const bar = () => page.getByRole('toolbar', { name: 'Selected assets' });
const chosen = () => page.getByRole('row', { selected: true }).count();
const lightbox = (title: string) => page.getByRole('dialog', { name: title });

describe('The library', () => {
  it('leaves most of the screen to the pictures, with many folders above them', async () => {
    await page.getByRole('button', { name: 'Show all 9 folders' }).waitFor();
    const { y } = (await card('Croissant').boundingBox())!;
    expect(y).toBeLessThan(0.4 * 844);
  });

  it('selects with a button, until nothing is selected any more', async () => {
    await button('Select').tap();
    await bar().getByText('Tap assets to select them').waitFor();
    expect(await misplacedOn(page, '390 px')).toEqual([]);
    await expectAccessible(page);
    await card('Bread').tap();
    await card('Cake').tap();
    await bar().getByText('2 selected').waitFor();
    expect(await chosen()).toBe(2);
    await button('Select all').tap();
    await bar().getByText('3 selected').waitFor();

    await page.touchscreen.tap(380, 700);
    expect(await chosen()).toBe(3);
    for (const title of TITLES) await card(title).tap();
    await bar().waitFor({ state: 'detached' });
    await card('Bread').tap();
    await lightbox('Bread').waitFor();
  });

  it('stops selecting when the bar is closed, and after an action', async () => {
    await button('Select').tap();
    await button('Clear selection').tap();
    await bar().waitFor({ state: 'detached' });
    await button('Select').tap();
    await card('Cake').tap();
    await bar().getByRole('button', { name: 'Move to trash' }).tap();
    await page.getByRole('button', { name: 'Undo' }).tap();
    await card('Cake').waitFor();
    await bar().waitFor({ state: 'detached' });
    await button('Select').waitFor();
  });

  it('has nothing selected after the lightbox or the details opened from it', async () => {
    await card('Cake').tap();
    await lightbox('Cake').getByRole('button', { name: 'Close' }).tap();
    await lightbox('Cake').waitFor({ state: 'detached' });
    expect(await chosen()).toBe(0);
    expect(await bar().count()).toBe(0);

    await card('Cake').tap();
    await lightbox('Cake').getByRole('button', { name: 'Details' }).tap();
    const details = page.getByRole('dialog', { name: 'Details' });
    await details.getByText('Ready to publish').waitFor();
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    expect(await chosen()).toBe(0);
    expect(await bar().count()).toBe(0);
  });

  it('keeps what a long press selected when its details are closed', async () => {
    await card('Cake').dispatchEvent('pointerdown', { pointerType: 'touch', bubbles: true });
    await bar().getByText('1 selected').waitFor();
    await card('Cake').dispatchEvent('pointerup', { pointerType: 'touch', bubbles: true });
    await bar().getByRole('button', { name: 'Details' }).tap();
    const details = page.getByRole('dialog', { name: 'Details' });
    await details.getByText('Ready to publish').waitFor();
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    expect(await chosen()).toBe(1);
  });
});

describe('The trash', () => {
  it('gives back what was just put into it, and offers no second undo', async () => {
    await button('Select').tap();
    await card('Cake').tap();
    await bar().getByRole('button', { name: 'Move to trash' }).tap();
    await button('Undo').waitFor();
    await button('Open menu').tap();
    // The toast covers the link for a moment.
    await page.getByRole('dialog').getByRole('link', { name: 'Trash' }).dispatchEvent('click');
    await button('Restore Cake').tap();
    await page.getByText('The trash is empty').waitFor();
    // By itself, it would leave only after seconds.
    await button('Undo').waitFor({ state: 'detached', timeout: 2_000 });
    await openLibrary();
    await card('Cake').waitFor();
  });
});

describe('The filters', () => {
  afterEach(() => page.setViewportSize(PHONE.viewport));

  it.each([
    [390, 844],
    [320, 480],
  ])(
    'are a sheet that fits on %i × %i pixels, and says how many assets they leave',
    async (width, height) => {
      await page.setViewportSize({ width, height });
      await openLibrary();
      await button('Filters').tap();
      const sheet = page.getByRole('dialog', { name: 'Filters' });
      await sheet.getByRole('button', { name: 'Show 3 assets' }).waitFor();
      // It slides in.
      await eventually(async () => {
        const box = (await sheet.boundingBox())!;
        expect(box).toMatchObject({ x: 0, width });
        expect(box.y).toBeGreaterThan(0);
        expect(box.y + box.height).toBeCloseTo(height, 0);
      });
      expect(await misplacedOn(page, `${width} px`)).toEqual([]);
      await expectAccessible(page);

      await sheet.getByRole('button', { name: /^cake/ }).tap();
      await sheet.getByRole('button', { name: 'Show 1 asset' }).tap();
      await sheet.waitFor({ state: 'detached' });
      await card('Bread').waitFor({ state: 'detached' });
      await card('Cake').waitFor();

      await button(/^Filters/).tap();
      await sheet.getByRole('button', { name: 'Clear all' }).tap();
      await sheet.getByRole('button', { name: 'Show 3 assets' }).waitFor();
      await sheet.getByRole('button', { name: 'PNG' }).tap();
      await sheet.getByRole('button', { name: 'No assets match' }).tap();
      await page.getByRole('heading', { name: 'No assets match' }).waitFor();
    },
  );
});
