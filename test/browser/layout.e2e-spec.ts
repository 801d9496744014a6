import type { Browser, Frame, Page } from 'playwright-core';
import type { Api } from '../support/api/api.js';
import { startBrowser } from '../support/browser/browser.js';
import { atEachWidth, misplacedOn, NARROW } from '../support/browser/layout.js';
import { Library } from '../support/api/library.js';
import { inTree, openAs, startPages } from '../support/browser/pages.js';
import { type Panel, startPanel } from '../support/browser/panel.js';
import { newClient, newKey, newPerson } from '../support/api/people.js';
import { sampleCases } from '../support/jest/sample-cases.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { seedDelivery, seedTarget } from '../support/database/seed-deliveries.js';
import { OWNER, query, type Service } from '../support/services/service.js';

const LEVELS = [
  'Autumn campaign 2026',
  'Photographs for the shop windows',
  'Storefront and premises in the evening',
  'Window displays with leaves and pumpkins',
  'Approved by the client for print and web',
];

/** The page's own. */
declare const document: any;

let panel: Panel;
let service: Service;
let owner: Api;
let browser: Browser;
let clientId: string;
let library: Library;
let parent: string;
let deepest: string;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  service = await startPages({ WORKER: 'inline', EMBED_ORIGINS: panel.url });
  owner = await service.api.signIn(OWNER);
  browser = await startBrowser();
  clientId = await newClient(owner, 'Bakery and Confectionery of the Morning Crumb');
  library = new Library(owner, `/admin/clients/${clientId}/assets`);
  const ids: string[] = [];
  for (const name of LEVELS) ids.push(await library.folder(name, ids.at(-1) ?? null));
  parent = ids.at(-2)!;
  deepest = ids.at(-1)!;
  for (let n = 1; n <= 12; n++) await library.folder(`Further selection of pictures ${n}`, parent);
  await seedAssets(
    service.databaseUrl,
    clientId,
    Array.from({ length: 1_300 }, (_, n) => ({
      title: `Photograph of the shop window on an evening in autumn ${n}`,
      folderId: n < 100 ? parent : deepest,
      tags: ['a long tag that describes the season', 'autumn'],
    })),
  );
  page = await openAs(browser, service, OWNER, `/clients/${clientId}/assets?folder=${deepest}`);
  page.setDefaultTimeout(10_000);
  await card(page).waitFor();
});
afterAll(async () => {
  await page?.context().close();
  await browser?.close();
  await service?.stop();
  panel?.stop();
});

const card = (on: Page) => on.getByRole('row', { name: /^Photograph of the shop window/ }).first();
const dialog = (name: string) => page.getByRole('dialog', { name });
const selectionBar = () => page.locator('[data-selection-bar]');
const goTo = (path: string) => page.goto(service.url + path);
async function showDetails(isOpen: boolean): Promise<void> {
  const button = page.locator('main header').getByRole('button', { name: 'Details' });
  if ((await button.getAttribute('aria-pressed')) !== String(isOpen)) await button.click();
}
async function misplacedAtEachWidth(on: Page | Frame = page): Promise<string[]> {
  const found: string[] = [];
  await atEachWidth(page, async (width) => {
    found.push(...(await misplacedOn(on, `${width} px`)));
  });
  return found;
}
const resize = (width: number) => page.setViewportSize({ width, height: 900 });

describe('The library', () => {
  const CASES = ['closed', 'open'].flatMap((details) =>
    ['collapsed', 'expanded'].flatMap((tree) => [0, 1].map((selected) => ({ selected, details, tree }))),
  );
  beforeEach(async () => {
    await resize(1280);
    await goTo(`/clients/${clientId}/assets?folder=${deepest}`);
    await card(page).waitFor();
  });

  it.each(sampleCases([...CASES, { selected: 1_200, details: 'open', tree: 'expanded' }], 5))(
    'keeps everything in place: $selected selected, details $details, tree $tree',
    async ({ selected, details, tree }) => {
      if (tree === 'collapsed')
        await inTree(page, LEVELS[0]!).getByRole('button', { name: 'Collapse' }).click();
      if (selected > 0) await card(page).click({ position: { x: 80, y: 60 } });
      if (selected > 1) await page.keyboard.press('Control+a');
      await showDetails(details === 'open');
      const found: string[] = [];
      await atEachWidth(page, async (width) => {
        const isInDrawer = width < NARROW && details === 'closed' && tree === 'expanded';
        if (isInDrawer) {
          await page.getByRole('button', { name: 'Open menu' }).click();
          await inTree(page, LEVELS[4]!).waitFor();
        }
        const isInSheet = width < NARROW && details === 'open' && selected > 0;
        if (isInSheet) {
          await selectionBar().getByRole('button', { name: 'Details' }).click();
          await dialog('Details').getByRole('heading').first().waitFor();
        }
        found.push(...(await misplacedOn(page, `${width} px`)));
        if (isInDrawer || isInSheet) {
          await page.keyboard.press('Escape');
          await dialog(isInDrawer ? 'Menu' : 'Details').waitFor({ state: 'detached' });
        }
      });
      expect(found).toEqual([]);
    },
  );

  it.each([
    ['folders and assets', ''],
    ['the latest uploads', '&view=recent'],
    ['filters', '&tags=autumn&type=image%2Fjpeg&surface=website&used=false'],
  ])('keeps everything in place: %s', async (_what, filters) => {
    await goTo(`/clients/${clientId}/assets?folder=${parent}${filters}`);
    await card(page).waitFor();
    await showDetails(false);
    expect(await misplacedAtEachWidth()).toEqual([]);
  });

  it('keeps everything in place: a list', async () => {
    await showDetails(false);
    await page.getByRole('button', { name: 'Show as list' }).click();
    expect(await misplacedAtEachWidth()).toEqual([]);
    await resize(1280);
    await page.getByRole('button', { name: 'Show as grid' }).click();
  });
});

describe('The other pages', () => {
  beforeAll(async () => {
    await newPerson(owner, { role: 'client_manager', clientIds: [clientId] });
    await newKey(owner, { role: 'operator', clientIds: [clientId], surfaces: ['website', 'social'] });
    const assetRefs = await library.listAll(`folderId=${parent}&limit=3`);
    const targetId = await seedTarget(service.databaseUrl, clientId);
    for (const status of ['failed', 'delivered'] as const)
      await seedDelivery(service.databaseUrl, { clientId, targetId, status, assetId: assetRefs[0].assetId });
    await library.delete(`/${assetRefs[1].assetId}`);
    const gone = await library.folder('Leftovers of the campaign with everything that was not approved');
    await library.folder('Rejected', gone);
    await library.delete('/folders', { folderId: gone });
  });

  it.each([
    ['/clients', 'Clients'],
    ['/users', 'Users'],
    ['/api-keys', 'API keys'],
    ['/activity', 'All activity'],
    ['/diagnostics', 'System'],
    ['/clients/CLIENT/targets', 'Destinations'],
    ['/clients/CLIENT/deliveries', 'Deliveries'],
    ['/clients/CLIENT/activity', 'Activity'],
    ['/clients/CLIENT/diagnostics', 'Diagnostics'],
    ['/clients/CLIENT/trash', 'Trash'],
  ])('keep everything in place: %s', async (path, heading) => {
    await resize(1280);
    await goTo(path.replace('CLIENT', clientId));
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
    expect(await misplacedAtEachWidth()).toEqual([]);
  });
});

describe('The trash', () => {
  const LONG = `Leftovers_of_the_campaign_${'that_were_not_approved_'.repeat(4)}`;
  const button = (name: string, on = page) => on.getByRole('button', { name, exact: true });

  beforeAll(async () => {
    await library.delete('/folders', { folderId: await library.folder(LONG) });
    await query(
      service.databaseUrl,
      `UPDATE trash_batches SET assets = 1234567, folders = 123456, trashed_by = $2 WHERE name = $1`,
      [LONG, 'a.very.long.address.of.somebody@marketing.bakery-and-confectionery.example'],
    );
  });

  it('keeps a long name, large counts, dates and buttons apart', async () => {
    await resize(1280);
    await goTo(`/clients/${clientId}/trash`);
    await button(`Restore ${LONG}`).waitFor();
    expect(await misplacedAtEachWidth()).toEqual([]);
  });

  it('has buttons that a finger can hit', async () => {
    const phone = await openAs(browser, service, OWNER, `/clients/${clientId}/trash`, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    for (const name of [`Restore ${LONG}`, `Delete ${LONG} permanently`]) {
      await button(name, phone).waitFor();
      const { width, height } = (await button(name, phone).boundingBox())!;
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(40);
    }
    await phone.context().close();
  });
});

describe('The picker', () => {
  it('keeps everything in place', async () => {
    await page.goto(panel.url);
    await page.evaluate((src) => {
      const frame = Object.assign(document.createElement('iframe'), { src });
      frame.style.cssText = 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0';
      document.body.append(frame);
    }, `${service.url}/embed/picker?clientId=${clientId}&multiple=true`);
    const frame = page.frames().at(-1)!;
    await frame.getByLabel('Email').fill(OWNER.email);
    await frame.getByLabel('Password', { exact: true }).fill(OWNER.password);
    await frame.getByRole('button', { name: 'Sign in' }).click();
    for (const name of LEVELS.slice(0, 4)) await frame.getByRole('button', { name }).click();
    await frame
      .getByText(/^Photograph of the shop window/)
      .first()
      .click();
    expect(await misplacedAtEachWidth(frame)).toEqual([]);
  });
});
