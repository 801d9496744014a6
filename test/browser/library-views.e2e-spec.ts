import type { Browser, Page } from 'playwright-core';
import { expectAccessible } from '../support/browser/accessibility.js';
import type { Api } from '../support/api/api.js';
import { startBrowser } from '../support/browser/browser.js';
import { eventually } from '../support/eventually.js';
import { Library } from '../support/api/library.js';
import { openAs, returnPage, startPages } from '../support/browser/pages.js';
import { newClient, newPerson, type Person } from '../support/api/people.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { OWNER, query, type Service } from '../support/services/service.js';
import { SAMPLES, Uploader } from '../support/api/uploads.js';

const SIDES = [
  ['admin', 'operator'],
  ['portal', 'client_manager'],
] as const;
const TUESDAY = 2;
/** Neither the middle of a card nor its check mark. */
const ON_CARD = { position: { x: 90, y: 70 } };

let service: Service;
let owner: Api;
let browser: Browser;
let clientId: string;
let folderId: string;
const people: Partial<Record<string, Person>> = {};

const daysAgo = (days: number, hour = 12) => {
  const date = new Date();
  date.setDate(date.getDate() - days);
  date.setHours(hour, 0, 0, 0);
  return date;
};
/** Neither today nor yesterday, whatever day it is. */
const lastTuesday = [2, 3, 4, 5, 6, 7, 8]
  .map((days) => daysAgo(days))
  .find((day) => day.getDay() === TUESDAY)!;
const tuesdayName = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  ...(lastTuesday.getFullYear() !== new Date().getFullYear() && { year: 'numeric' as const }),
}).format(lastTuesday);

beforeAll(async () => {
  service = await startPages({ WORKER: 'inline' });
  owner = await service.api.signIn(OWNER);
  browser = await startBrowser();
  clientId = await newClient(owner);
  folderId = await new Library(owner, `/admin/clients/${clientId}/assets`).folder('Shop window');
  const today = Date.now();
  const ids = await seedAssets(service.databaseUrl, clientId, [
    ...[1, 2, 3, 10, 11, 12].map((n) => ({
      title: `Today ${n}`,
      folderId,
      sizeBytes: 1_000 * n,
      createdAt: new Date(today - n).toISOString(),
    })),
    ...[1, 2, 3].map((n) => ({ title: `Yesterday ${n}`, createdAt: daysAgo(1, 20 - n).toISOString() })),
    ...[1, 2, 3, 4].map((n) => ({
      title: `Tuesday ${n}`,
      altText: n > 2 ? 'A window' : '',
      width: n * 500,
      height: 1_000,
      createdAt: new Date(lastTuesday.getTime() - n).toISOString(),
    })),
    { title: 'Last month', createdAt: daysAgo(30).toISOString() },
  ]);
  for (const [side, role] of SIDES) {
    const person = await newPerson(owner, { role, clientIds: [clientId] });
    people[side] = person;
    // The last but one of today, or the last.
    const own = ids[side === 'admin' ? 4 : 5]!;
    const kind = side === 'admin' ? 'user' : 'portal_user';
    const statement =
      "UPDATE assets SET created_by_kind = $2, created_by_id = $3, created_by_name = 'Olivia Baker' WHERE id = $1";
    await query(service.databaseUrl, statement, [own, kind, person.userId]);
  }
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const pathOf = (side: string) => (side === 'admin' ? `/clients/${clientId}/assets` : '/library');
const open = (side: string, search = '', options?: Parameters<typeof openAs>[4]) =>
  openAs(browser, service, people[side]!, pathOf(side) + search, options);
const card = (page: Page, title: string) => page.getByRole('row', { name: title, exact: true });
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const view = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Whole library' }).getByRole('link', { name });
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const filters = (page: Page) => page.getByRole('dialog', { name: 'Filters' });

async function shownTitles(page: Page): Promise<string[]> {
  const cards = await page
    .locator('[data-index]')
    .evaluateAll((rows) =>
      rows.map((row: any) => [Number(row.dataset.index), row.getAttribute('aria-label')] as const),
    );
  return cards.sort(([a], [b]) => a - b).map(([, label]) => label);
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await filters(page)
    .getByRole('button', { name: new RegExp(`${label}$`) })
    .click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

describe.each(SIDES)('The whole library on the %s side', (side) => {
  let page: Page;
  beforeAll(async () => {
    page = await open(side);
    await view(page, 'All assets').waitFor();
  });
  afterAll(() => page && returnPage(page));

  it('lists the assets of all folders, and names the folder of each', async () => {
    await view(page, 'All assets').click();
    await title(page, 'All assets').waitFor();
    await page.getByText('All 14 assets').waitFor();
    await card(page, 'Yesterday 1').getByRole('link', { name: 'Library' }).waitFor();
    await page.reload();
    await title(page, 'All assets').waitFor();
    expect(await view(page, 'All assets').getAttribute('aria-current')).toBe('page');

    await card(page, 'Today 1').getByRole('link', { name: 'Shop window' }).click();
    await title(page, 'Shop window').waitFor();
    expect(param(page, 'folder')).toBe(folderId);
    expect(await card(page, 'Today 1').getByRole('link').count()).toBe(0);
    await page.goBack();
    await title(page, 'All assets').waitFor();
  });

  it('groups the latest uploads by day, the own ones of a day first', async () => {
    await view(page, 'Recent').click();
    await title(page, 'Recent').waitFor();
    await card(page, 'Yesterday 1').waitFor();
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(
      expect.arrayContaining(['Today', 'Yesterday', tuesdayName]),
    );
    const [first, second] = side === 'admin' ? ['Today 11', 'Today 1'] : ['Today 12', 'Today 1'];
    expect((await shownTitles(page)).slice(0, 2)).toEqual([first, second]);
    await expectAccessible(page);
  });
});

describe('The latest uploads', () => {
  let page: Page;
  beforeAll(async () => {
    page = await open('admin', '?view=recent');
    await card(page, 'Yesterday 1').waitFor();
  });
  afterAll(() => page && returnPage(page));

  it('are one list for the keyboard, for ranges and in the lightbox', async () => {
    const shown = await shownTitles(page);
    await card(page, shown[0]!).click(ON_CARD);
    // From one row of today to the other, then into the next day.
    for (let n = 0; n < 2; n++) await page.keyboard.press('ArrowDown');
    const selected = () =>
      page.locator('[aria-selected=true]').evaluateAll((rows) => rows.map((row: any) => row.ariaLabel));
    expect(await selected()).toEqual(['Yesterday 1']);
    await page.keyboard.press('Shift+ArrowUp');
    expect((await selected()).sort()).toEqual([shown[4], shown[5], 'Yesterday 1'].sort());
    await page.keyboard.press('Enter');
    for (const next of [shown[4]!, shown[5]!, 'Yesterday 1']) {
      await page.locator('.lightbox-title', { hasText: next }).waitFor();
      if (next !== 'Yesterday 1') await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('Escape');
    await page.locator('.lightbox-title').waitFor({ state: 'detached' });
  });

  it('lead to everything of a day, and from there to what has no alt text', async () => {
    const heading = page.getByRole('heading', { level: 2, name: tuesdayName });
    await heading.getByRole('link').click();
    await page.getByText('4 results in the whole library').waitFor();
    await page.getByText('2 assets have no alt text').waitFor();
    await page.getByRole('button', { name: 'Show them' }).click();
    await page.getByText('2 results in the whole library').waitFor();
    expect(await shownTitles(page)).toEqual(['Tuesday 1', 'Tuesday 2']);
    await page.getByRole('button', { name: 'Remove filter No alt text' }).click();
    await page.getByText('4 results in the whole library').waitFor();
  });
});

describe('The list', () => {
  it('is sorted by its columns, numbers by their value', async () => {
    const page = await open('admin', '?below=true&q=today');
    await page.getByRole('button', { name: 'Show as list' }).click();
    const column = (name: string) => page.getByRole('columnheader', { name });
    await column('Folder').waitFor();
    await card(page, 'Today 2').getByRole('link', { name: 'Shop window' }).waitFor();
    expect(await column('Added').getAttribute('aria-sort')).toBe('descending');

    await column('Title').getByRole('button').focus();
    await page.keyboard.press('Enter');
    await page.locator('[aria-sort=ascending]', { hasText: 'Title' }).waitFor();
    const numbers = [1, 2, 3, 10, 11, 12].map((n) => `Today ${n}`);
    await eventually(async () => expect(await shownTitles(page)).toEqual(numbers));
    await page.keyboard.press('Enter');
    await page.locator('[aria-sort=descending]', { hasText: 'Title' }).waitFor();
    await eventually(async () => expect(await shownTitles(page)).toEqual(numbers.toReversed()));
    await column('Size').getByRole('button').click();
    await column('Size').getByRole('button').click();
    await page.locator('[aria-sort=ascending]', { hasText: 'Size' }).waitFor();
    expect(param(page, 'sort')).toBe('smallest');
    await returnPage(page);
  });
});

describe('The filters', () => {
  let page: Page;
  beforeEach(async () => {
    page = await open('admin', '?below=true');
    await page.getByText('All 14 assets').waitFor();
    await page.getByRole('button', { name: 'Filters' }).click();
  });
  afterEach(() => page && returnPage(page));

  it('find what was uploaded on a day without alt text', async () => {
    await choose(page, 'Uploaded', 'Choose days…');
    const day = [lastTuesday.getFullYear(), lastTuesday.getMonth() + 1, lastTuesday.getDate()]
      .map((part) => String(part).padStart(2, '0'))
      .join('-');
    await filters(page).getByLabel('From').fill(day);
    await filters(page).getByRole('button', { name: 'No alt text' }).click();
    await page.getByText('2 results in the whole library').waitFor();
    expect([param(page, 'uploaded'), param(page, 'missingAltText')]).toEqual([`${day}..${day}`, 'true']);
    await expectAccessible(page);
    await page.reload();
    await page.getByText('2 results in the whole library').waitFor();
  });

  it('find what somebody uploaded, and what is large enough', async () => {
    await choose(page, 'Uploaded by', 'Me');
    await page.getByText('1 result in the whole library').waitFor();
    expect(await shownTitles(page)).toEqual(['Today 11']);
    await choose(page, 'Uploaded by', 'Any');
    await choose(page, 'Size at least', '1080 px wide');
    await page.getByText('2 results in the whole library').waitFor();
    await choose(page, 'Size at least', 'Custom size…');
    await filters(page).getByLabel('Width in px').fill('501');
    await page.keyboard.press('Enter');
    await page.getByText('3 results in the whole library').waitFor();
    await filters(page).getByRole('button', { name: 'Landscape' }).click();
    await page.getByText('2 results in the whole library').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove filter At least 501 px wide' }).waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByText('All 14 assets').waitFor();
  });

  it('separate what fits as it is from what fits after resizing', async () => {
    const uploader = Uploader.admin(owner, clientId);
    await uploader.upload(SAMPLES.jpeg, { title: 'Storefront' });
    await uploader.upload(SAMPLES.webp, { title: 'Latte' });
    await choose(page, 'Fits', 'Facebook');
    await page.getByText('2 results in the whole library').waitFor();
    await card(page, 'Latte').getByText('After resizing').waitFor();
    expect(await card(page, 'Storefront').getByText('After resizing').count()).toBe(0);
    await filters(page).getByRole('button', { name: 'As it is 1' }).click();
    await card(page, 'Latte').waitFor({ state: 'detached' });
    await page.getByText('Fits Facebook as it is').waitFor();
    await filters(page).getByRole('button', { name: 'After resizing 1' }).click();
    await card(page, 'Storefront').waitFor({ state: 'detached' });
    expect(await shownTitles(page)).toEqual(['Latte']);
  });
});
