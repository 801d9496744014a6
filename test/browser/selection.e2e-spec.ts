import type { Browser, Page } from 'playwright-core';
import { expectAccessible } from '../support/browser/accessibility.js';
import type { Api } from '../support/api/api.js';
import { Library } from '../support/api/library.js';
import { newClient, newPerson, type Person } from '../support/api/people.js';
import { readZip } from '../support/api/read-zip.js';
import { startBrowser } from '../support/browser/browser.js';
import { failuresIn, openAs, openPage, returnPage, signInOn, startPages } from '../support/browser/pages.js';
import { seedAssets, seedFiles } from '../support/database/seed-assets.js';
import { eventually } from '../support/eventually.js';
import { OWNER, type Service } from '../support/services/service.js';

/** The page's own. */
declare const document: any;
declare const navigator: any;

const TITLES = ['Bread', 'Cake', 'Croissant'];
/** Neither the middle of a card nor its check mark. */
const ON_CARD = { position: { x: 90, y: 70 } };
const MANY = 1_100;

let service: Service;
let owner: Api;
let browser: Browser;
let clientId: string;
let autumn: string;
let archive: string;
let ids: string[];
let manager: Person;
let page: Page;

beforeAll(async () => {
  service = await startPages();
  owner = await service.api.signIn(OWNER);
  browser = await startBrowser();
  clientId = await newClient(owner, 'Corner Bakery');
  manager = await newPerson(owner, { role: 'client_manager', clientIds: [clientId] });
  const library = new Library(owner, `/admin/clients/${clientId}/assets`);
  autumn = await library.folder('Autumn');
  archive = await library.folder('Archive');
  const files = TITLES.map((title) => ({
    title,
    folderId: autumn,
    originalFilename: `${title}.jpg`,
    bytes: Buffer.from(title),
  }));
  ids = (await seedFiles(service, clientId, files)).map(({ assetId }) => assetId);
  const many = Array.from({ length: MANY }, (_, index) => ({
    title: `Old ${String(index + 1).padStart(4, '0')}`,
    folderId: archive,
  }));
  await seedAssets(service.databaseUrl, clientId, many);
  page = await openAs(browser, service, OWNER, '/clients');
  page.setDefaultTimeout(15_000);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterAll(async () => {
  if (page) {
    expect(failuresIn(page)).toEqual([]);
    await returnPage(page);
  }
  await browser?.close();
  await service?.stop();
});

const card = (title: string, on = page) => on.getByRole('row', { name: title, exact: true });
const details = (on = page) => on.getByRole('complementary', { name: 'Details' });
const lightbox = (title: string, on = page) => on.getByRole('dialog', { name: title });
const toast = (text: string, on = page) => on.getByRole('alertdialog').filter({ hasText: text });
const bar = (on = page) => on.getByRole('toolbar', { name: 'Selected assets' });
const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText() as Promise<string>);
const chosen = (on = page) =>
  on.getByRole('grid', { name: 'Assets' }).getByRole('row', { selected: true }).allTextContents();
const pathOf = (link: string) => link.replace(service.url, '');

async function openFolder(folderId: string, first: string, on = page): Promise<void> {
  await on.goto(`${service.url}/clients/${clientId}/assets?folder=${folderId}&sort=title`);
  await card(first, on).click(ON_CARD);
}

/** The link opens in a new tab, so nothing is known from before. */
async function follow(link: string, as: { email: string; password: string } = OWNER): Promise<Page> {
  const tab = await openAs(browser, service, as, pathOf(link));
  tab.setDefaultTimeout(15_000);
  return tab;
}

async function menu(command: string): Promise<void> {
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: command, exact: true }).click();
}

const expectFocusOn = (title: string, on: Page) =>
  eventually(async () => {
    const focused = await on.evaluate(() => document.activeElement?.getAttribute('aria-label') as string);
    expect(focused).toBe(title);
  });

describe('Downloading a selection', () => {
  it('gives several assets as one zip archive, from the bar, the menu, the details and by key', async () => {
    await openFolder(autumn, 'Bread');
    await page.keyboard.press('Control+a');
    if (!(await details().isVisible())) await page.keyboard.press('i');
    await details().getByText('3 assets selected').waitFor();
    const ways = [
      () => bar().getByRole('button', { name: 'Download as zip' }).click(),
      () => details().getByRole('button', { name: 'Download as zip' }).click(),
      async () => {
        await card('Bread').focus();
        await page.keyboard.press('d');
      },
      () => menu('Download as zip'),
    ];
    for (const way of ways) {
      const download = page.waitForEvent('download');
      await way();
      expect((await download).suggestedFilename()).toBe('Corner Bakery – 3 assets.zip');
      expect(readZip(await (await download).path()).map(({ name }) => name)).toEqual(
        ['', 'Bread.jpg', 'Cake.jpg', 'Croissant.jpg'].map((name) => `Corner Bakery – 3 assets/${name}`),
      );
    }
    await toast('Downloading 3 assets as a zip file').first().waitFor();
    await expectAccessible(page);
  });

  it('gives one asset as its file', async () => {
    await openFolder(autumn, 'Bread');
    const download = page.waitForEvent('download');
    await page.keyboard.press('d');
    expect((await download).suggestedFilename()).toBe('Bread.jpg');
  });

  it('names the limit before anything is requested', async () => {
    await openFolder(archive, 'Old 0001');
    await page.keyboard.press('Control+a');
    await page.getByText('1,100 selected').waitFor();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await bar().getByRole('button', { name: 'Download as zip' }).click();
    await toast('A zip file holds up to 1,000 assets').waitFor();
    expect(requests.filter((url) => /archive|offset/.test(url))).toEqual([]);
  });

  it('says which step failed if an asset has disappeared', async () => {
    await openFolder(autumn, 'Bread');
    await page.keyboard.press('Control+a');
    await page.route('**/assets/archive', (route) =>
      route.fulfill({
        status: 404,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status: 404, code: 'asset_not_found', title: 'Asset not found', detail: 'x' }),
      }),
    );
    await bar().getByRole('button', { name: 'Download as zip' }).click();
    await toast('The assets were not downloaded').waitFor();
    await page.unroute('**/assets/archive');
  });
});

describe('A copied link', () => {
  it('opens the asset where it was seen: far down in its folder, selected, focused, with its details', async () => {
    await openFolder(archive, 'Old 0001');
    await page.keyboard.press('End');
    await expectFocusOn('Old 1100', page);
    for (let times = 0; times < 5; times++) await page.keyboard.press('ArrowLeft');
    await expectFocusOn('Old 1095', page);
    await page.keyboard.press('Control+c');
    await toast('Link copied').waitFor();
    const link = await copied();

    const tab = await follow(link);
    await card('Old 1095', tab).waitFor();
    await expectFocusOn('Old 1095', tab);
    expect(await chosen(tab)).toEqual([expect.stringContaining('Old 1095')]);
    await details(tab).getByText('Old 1095').first().waitFor();
    await tab.waitForURL((url) => !/details|at=/.test(url.search) && url.search.includes('sort=title'));
    expect(await card('Old 1095', tab).evaluate((element: any) => element.matches(':focus'))).toBe(true);
    await tab.keyboard.press('ArrowLeft');
    await expectFocusOn('Old 1094', tab);
    await returnPage(tab);
  });

  it('opens the search and the lightbox in which it was copied; closing that leaves the focus on the asset', async () => {
    await page.goto(`${service.url}/clients/${clientId}/assets?q=Old&sort=title`);
    await card('Old 0001').click(ON_CARD);
    await page.keyboard.press('End');
    await expectFocusOn('Old 1100', page);
    await page.keyboard.press('Enter');
    await lightbox('Old 1100').getByRole('button', { name: 'Copy link' }).click();
    await toast('Link copied').waitFor();
    const link = await copied();
    await lightbox('Old 1100').getByRole('button', { name: 'Copy asset ID' }).click();
    await eventually(async () => expect(await copied()).toMatch(/^asset_[0-9a-z]{26}$/));

    const tab = await follow(link);
    await lightbox('Old 1100', tab).waitFor();
    await tab.keyboard.press('Escape');
    await expectFocusOn('Old 1100', tab);
    expect(new URL(tab.url()).search).toBe('?q=Old&sort=title');
    await returnPage(tab);
  });

  it.each([
    ['the lightbox', 'asset'],
    ['the details', 'details'],
  ])(
    'to an asset that has been moved opens its folder behind %s, with the focus on it',
    async (_, shownIn) => {
      const tab = await follow(`/clients/${clientId}/assets?${shownIn}=${ids[1]}&sort=title`);
      if (shownIn === 'asset') {
        await lightbox('Cake', tab).waitFor();
        await tab.waitForURL(/folder=/);
        await tab.keyboard.press('i');
      }
      await details(tab).getByText('Cake').first().waitFor();
      await expectFocusOn('Cake', tab);
      expect(await chosen(tab)).toEqual([expect.stringContaining('Cake')]);
      expect(new URL(tab.url()).searchParams.get('folder')).toBe(autumn);
      await returnPage(tab);
    },
  );

  it('of several assets is one line each, as are their IDs', async () => {
    await openFolder(autumn, 'Bread');
    await page.keyboard.press('Control+a');
    await menu('Copy asset IDs');
    await toast('3 asset IDs copied').waitFor();
    const { body } = await owner.get(`/admin/clients/${clientId}/assets?folderId=${autumn}&sort=title`);
    expect((await copied()).split('\n')).toEqual(
      (body.assets as { assetRef: string }[]).map(({ assetRef }) => assetRef),
    );
    await menu('Copy links');
    await toast('3 links copied').waitFor();
    expect((await copied()).split('\n').map((link) => new URL(link).searchParams.get('details'))).toEqual(
      ids,
    );
  });

  it('of a folder opens it', async () => {
    await page.goto(`${service.url}/clients/${clientId}/assets`);
    await page.getByRole('button', { name: 'Actions for Autumn' }).first().click();
    await page.getByRole('menuitem', { name: 'Copy link' }).click();
    await toast('Link copied').first().waitFor();
    expect(await copied()).toBe(`${service.url}/clients/${clientId}/assets?folder=${autumn}`);
  });

  it('can be copied by hand where the browser refuses', async () => {
    await openFolder(autumn, 'Bread');
    // As on a page without https.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.keyboard.press('Control+c');
    const dialog = page.getByRole('dialog', { name: 'Copy' });
    await dialog.waitFor();
    await expectAccessible(page);
    const selected = await page.evaluate(() => {
      const field = document.activeElement;
      return (field.value as string).slice(field.selectionStart as number, field.selectionEnd as number);
    });
    expect(new URL(selected).searchParams.get('details')).toBe(ids[0]);
    await page.keyboard.press('Escape');
    await expectFocusOn('Bread', page);
    const field = details().getByLabel('Asset ID');
    if (!(await details().isVisible())) await page.keyboard.press('i');
    await details().getByRole('button', { name: 'Copy', exact: true }).click();
    expect(await field.evaluate((element: any) => element.selectionEnd - element.selectionStart)).toBe(32);
  });

  it("opens the same asset on the client's own pages, after sign-in", async () => {
    const tab = await openPage(browser);
    await tab.goto(`${service.url}/clients/${clientId}/assets?folder=${autumn}&sort=title&details=${ids[2]}`);
    await signInOn(tab, manager);
    await details(tab).getByText('Croissant').first().waitFor();
    expect(new URL(tab.url()).pathname).toBe('/library');
    await expectFocusOn('Croissant', tab);
    await tab.goto(`${service.url}/clients/somebody-else/assets?details=${ids[2]}`);
    await tab.getByRole('heading', { name: 'Page not found' }).waitFor();
    await returnPage(tab);
  });

  it("from the address bar of a client's own pages says whose it is", async () => {
    const tab = await follow(`/library?details=${ids[2]}`);
    await tab.getByText('This address belongs to the pages of a client’s own users.').waitFor();
    await returnPage(tab);
  });
});
