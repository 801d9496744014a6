import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { expectAccessible } from '../support/browser/accessibility.js';
import type { Api } from '../support/api/api.js';
import { startBrowser } from '../support/browser/browser.js';
import { waitUntil, Library } from '../support/api/library.js';
import { dropFiles, inTree, openAs, returnPage, setNetwork, startPages } from '../support/browser/pages.js';
import { newClient } from '../support/api/people.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { OWNER, type Service } from '../support/services/service.js';
import { FILES, uniqueJpeg } from '../support/api/uploads.js';

const LEVELS = ['Autumn 2026', 'Shop window', 'Leaves and pumpkins', 'Close-ups', 'Selected for print'];

let service: Service;
let owner: Api;
let browser: Browser;
let directory: string;
let clientId: string;
let library: Library;
let deepest: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'folders-in-pages-'));
  service = await startPages({ WORKER: 'inline' });
  owner = await service.api.signIn(OWNER);
  browser = await startBrowser();
  clientId = await newClient(owner);
  library = new Library(owner, `/admin/clients/${clientId}/assets`);
  let parent: string | null = null;
  const ids: string[] = [];
  for (const name of LEVELS) ids.push((parent = await library.folder(name, parent)));
  deepest = ids.at(-1)!;
  await library.folder('Drafts', await library.folder('Plans'));
  await seedAssets(service.databaseUrl, clientId, [
    { title: 'Cover' },
    ...Array.from({ length: 3 }, (_, n) => ({ title: `Window ${n}`, folderId: ids[1]! })),
    ...Array.from({ length: 154 }, (_, n) => ({ title: `Print ${n}`, folderId: deepest })),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  rmSync(directory, { recursive: true });
});

const pathOf = (folderId?: string) =>
  `/clients/${clientId}/assets${folderId === undefined ? '' : `?folder=${folderId}`}`;
const open = (folderId?: string, options?: Parameters<typeof openAs>[4]) =>
  openAs(browser, service, OWNER, pathOf(folderId), options);
const tile = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Folders' }).getByRole('listitem').filter({ hasText: name });
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const isWhole = (name: Locator) => name.evaluate((element) => element.scrollWidth <= element.clientWidth);

describe('The counts of folders', () => {
  let page: Page;
  beforeAll(async () => {
    page = await open();
    await tile(page, 'Autumn 2026').waitFor();
  });
  afterAll(() => page && returnPage(page));

  it('include everything below, in the tree and on the tiles', async () => {
    await inTree(page, 'Autumn 2026').getByText('157').waitFor();
    await inTree(page, 'Library').getByText('158').waitFor();
    await tile(page, 'Autumn 2026').getByText('157').waitFor();
  });

  it('lead to everything below, and back to the folders', async () => {
    await tile(page, 'Autumn 2026').getByRole('button', { name: 'Autumn 2026', exact: true }).click();
    await title(page, 'Autumn 2026').waitFor();
    await page.getByText('157 assets in subfolders').waitFor();
    expect(await page.getByText('empty').count()).toBe(0);
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('All 157 assets').waitFor();
    await page
      .getByRole('row', { name: /^Print/ })
      .first()
      .waitFor();
    expect(new URL(page.url()).searchParams.get('below')).toBe('true');
    expect(await tile(page, 'Shop window').count()).toBe(0);

    await page.getByRole('button', { name: 'Show folders' }).click();
    await tile(page, 'Shop window').waitFor();
    await page.getByText('157 assets in subfolders').waitFor();
  });

  it('tell the assets of a folder from those below it', async () => {
    await tile(page, 'Shop window').getByRole('button', { name: 'Shop window', exact: true }).click();
    await page.getByText('3 assets · 154 assets in subfolders').waitFor();
  });

  it('name the whole library at the top level', async () => {
    await inTree(page, 'Library').click();
    await page.getByText('1 asset · 157 assets in folders').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('All 158 assets').waitFor();
    await page.getByRole('searchbox', { name: 'Search assets' }).fill('window');
    await page.getByText('3 results in the whole library').waitFor();
  });

  it('never call a folder with subfolders empty', async () => {
    await inTree(page, 'Plans').click();
    await title(page, 'Plans').waitFor();
    await page.getByRole('heading', { name: 'No assets here yet' }).waitFor();
    expect(await page.getByText('empty').count()).toBe(0);
  });
});

describe('The folder path', () => {
  it.each([2560, 1440, 1024, 768, 390, 320])(
    'hides the middle in a menu, and leaves the last two whole where they fit, at %i px',
    async (width) => {
      const isTouch = width < 600;
      const page = await open(deepest, { viewport: { width, height: 800 }, hasTouch: isTouch });
      await title(page, 'Selected for print').waitFor();
      const path = page.getByRole('navigation', { name: 'Folder path' });
      const current = title(page, 'Selected for print');
      const parent = path.getByText('Close-ups', { exact: true });
      if (width >= 1024) {
        expect(await isWhole(parent)).toBe(true);
        expect(await isWhole(current)).toBe(true);
      }
      for (const name of await path.locator('[title]').all())
        if (!(await isWhole(name))) expect(await name.getAttribute('title')).toBe(await name.textContent());
      const box = (await path.boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      expect((await current.boundingBox())!.width).toBeGreaterThan(40);

      if (width > 1440) {
        for (const name of ['Library', ...LEVELS.slice(0, -1)])
          expect(await isWhole(path.getByText(name, { exact: true }))).toBe(true);
      } else {
        const more = path.getByRole('button', { name: 'More folders' });
        await (isTouch ? more.tap() : more.click());
        await page.getByRole('menuitem', { name: 'Shop window' }).waitFor();
        if (width === 320) await expectAccessible(page);
        const first = page.getByRole('menuitem', { name: 'Autumn 2026' });
        await (isTouch ? first.tap() : first.click());
        await title(page, 'Autumn 2026').waitFor();
      }
      await page.close();
    },
  );

  it('follows the width of the page', async () => {
    const page = await open(deepest, { viewport: { width: 2560, height: 800 } });
    const path = page.getByRole('navigation', { name: 'Folder path' });
    const more = path.getByRole('button', { name: 'More folders' });
    await title(page, 'Selected for print').waitFor();
    expect(await more.count()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await more.waitFor();
    await page.setViewportSize({ width: 2560, height: 800 });
    await more.waitFor({ state: 'detached' });
    await page.close();
  });
});

describe('The folder tree by keyboard', () => {
  it('expands and collapses every folder that has subfolders', async () => {
    const page = await open();
    const row = (name: string) => inTree(page, name);
    await row('Autumn 2026').waitFor();
    expect(await row('Autumn 2026').getAttribute('aria-expanded')).toBe('false');
    expect(await row('Plans').getAttribute('aria-expanded')).toBe('false');
    expect(await row('Library').getAttribute('aria-expanded')).toBeNull();

    await row('Library').focus();
    await page.keyboard.press('ArrowDown');
    for (const [level, name] of LEVELS.entries()) {
      const here = row(name);
      await waitUntil(() => here.evaluate((element) => element.matches(':focus')), `${name} has the focus`);
      expect(await here.getAttribute('aria-level')).toBe(String(level + 1));
      if (name === LEVELS.at(-1)) expect(await here.getAttribute('aria-expanded')).toBeNull();
      else {
        expect(await here.getAttribute('aria-expanded')).toBe('false');
        await page.keyboard.press('ArrowRight');
        await waitUntil(async () => (await here.getAttribute('aria-expanded')) === 'true', `${name} opens`);
        await page.keyboard.press('ArrowDown');
      }
    }
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await row(LEVELS[4]!).waitFor({ state: 'detached' });
    expect(await row(LEVELS[3]!).getAttribute('aria-expanded')).toBe('false');
    await returnPage(page);
  });
});

describe('Fifty folders', () => {
  it('take two rows until all are wanted, and show at once what is new', async () => {
    const many = await library.folder('Many');
    const pad = (n: number) => String(n).padStart(2, '0');
    for (let n = 1; n <= 50; n++) await library.folder(`Week ${pad(n)}`, many);
    const page = await open(many);
    const tiles = page.getByRole('list', { name: 'Folders' }).getByRole('listitem');
    const more = page.getByRole('button', { name: 'Show all 50 folders' });
    await more.waitFor();
    const tops = new Set<number>();
    for (const each of await tiles.all()) tops.add((await each.boundingBox())!.y);
    expect(tops.size).toBe(2);
    await more.click();
    await tile(page, 'Week 50').waitFor();
    expect(await tiles.count()).toBe(50);
    await page.getByRole('button', { name: 'Show fewer' }).click();
    await tile(page, 'Week 50').waitFor({ state: 'detached' });

    await library.folder('Week 99', many);
    await tile(page, 'Week 99').waitFor();
    await page.getByRole('button', { name: 'Show all 51 folders' }).waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await waitUntil(async () => (await tiles.count()) === 4, 'two rows on a phone');
    await returnPage(page);
  });
});

describe('Moving', () => {
  it('creates the folder on the way, and says in place why a name is refused', async () => {
    const page = await open(deepest);
    const { assets } = (await library.get(`?folderId=${deepest}`)).body;
    await page.getByRole('row', { name: assets[0].title, exact: true }).focus();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('option', { name: /^Plans$/ }).click();
    await dialog.getByRole('button', { name: 'New folder' }).click();
    const name = dialog.getByRole('textbox', { name: 'New folder in Plans' });
    await name.fill('drafts');
    await page.keyboard.press('Enter');
    await dialog.getByText('There is already a folder named drafts here').waitFor();
    await name.fill('a/b');
    await page.keyboard.press('Enter');
    await dialog.getByText(/must not contain/).waitFor();
    await expectAccessible(page);
    await name.fill('Posters');
    await page.keyboard.press('Enter');
    await name.waitFor({ state: 'detached' });
    await dialog.getByRole('option', { name: 'Posters', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await waitUntil(
      async () => (await library.tree()).get('Plans/Posters')?.assets === 1,
      'the asset is in it',
    );
    await returnPage(page);
  });
});

describe('A dropped nested folder', () => {
  it('is in the page at once, and is shown from the end of the upload', async () => {
    for (const path of ['one.jpg', 'two.jpg', 'Day 1/Details/three.jpg']) {
      const file = join(directory, 'Harvest/Fields', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, uniqueJpeg(FILES.jpeg.bytes).bytes);
    }
    const page = await open();
    await tile(page, 'Autumn 2026').waitFor();
    await setNetwork(page, { bytesPerSecond: 20_000 });
    await dropFiles(page, [join(directory, 'Harvest')]);
    const panel = page.getByRole('region', { name: 'Uploads' });
    await tile(page, 'Harvest').waitFor();
    await panel.getByText('Uploading 3 files').waitFor();
    expect(await panel.getByRole('button', { name: 'Show folder' }).count()).toBe(0);
    await setNetwork(page, {});
    await panel.getByText('3 files uploaded').waitFor();
    await tile(page, 'Harvest').getByText('3', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Show folder' }).click();
    await title(page, 'Fields').waitFor();
    await panel.getByRole('button', { name: 'Show folder' }).waitFor({ state: 'detached' });
    await returnPage(page);
  });
});
