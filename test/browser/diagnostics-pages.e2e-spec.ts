import type { Browser, Locator, Page } from 'playwright-core';
import type { Api } from '../support/api/api.js';
import { startBrowser } from '../support/browser/browser.js';
import { expectAccessible } from '../support/browser/accessibility.js';
import { type Account, failuresIn, openAs, returnPage, startPages } from '../support/browser/pages.js';
import { newClient, newPerson } from '../support/api/people.js';
import { OWNER, type Service } from '../support/services/service.js';

const WIDTHS = [320, 390, 560, 720, 960, 1024, 1280, 1440, 1920, 2560];

let service: Service;
let owner: Api;
let browser: Browser;
let bakery: string;
const opened: Page[] = [];

beforeAll(async () => {
  service = await startPages();
  owner = await service.api.signIn(OWNER);
  bakery = await newClient(owner, 'Corner Bakery');
  browser = await startBrowser();
});
afterEach(async () => {
  for (const page of opened.splice(0)) {
    expect(failuresIn(page)).toEqual([]);
    await returnPage(page);
  }
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

async function pageOf(person: Account, path: string): Promise<Page> {
  const page = await openAs(browser, service, person, path);
  opened.push(page);
  return page;
}

const card = (page: Page, title: string): Locator =>
  page.locator('details').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
const unfold = (page: Page, title: string) => card(page, title).locator('summary').click();
const runtime = (agentId: string, body: object) =>
  owner.put(`/agents/seo/${agentId}/runtime`, { clientId: bakery, ...body });
const connection = (path: string, body: object) => owner.put(`/admin/${path}`, { clientId: bakery, ...body });

async function widthOverflows(page: Page): Promise<number[]> {
  const wide: number[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    if ((overflow as number) > 0) wide.push(width);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  return wide;
}

describe("A client's diagnostics", () => {
  it('say in words how storage, agents, ads and attribution are, before anything was reported', async () => {
    const page = await pageOf(OWNER, `/clients/${bakery}/diagnostics`);
    await card(page, 'Storage').getByText('Files can be uploaded and opened.').waitFor();
    await card(page, 'Agents').getByText('No agent has reported yet.').waitFor();
    await card(page, 'Ads').getByText('No advertising account has been connected.').waitFor();
    await card(page, 'Attribution').getByText('No landing page has been added.').waitFor();
    await expectAccessible(page);
    await unfold(page, 'Storage');
    await card(page, 'Storage').getByText('Ownership of the bucket').waitFor();
    await card(page, 'Storage').getByRole('link', { name: 'Open the System page' }).click();
    await page.getByRole('heading', { name: 'System', exact: true }).waitFor();
  });

  it('list every agent, and name failures before silence', async () => {
    await runtime('writer', { state: 'running', task: 'Autumn breads' });
    await runtime('linker', { state: 'idle' });
    const page = await pageOf(OWNER, `/clients/${bakery}/diagnostics`);
    const agents = card(page, 'Agents');
    await agents.getByText('All 2 agents report normally.').waitFor();
    await agents.getByText(/^Last report \S/).waitFor();
    expect(await agents.getByText('Autumn breads').isVisible()).toBe(false);
    await unfold(page, 'Agents');
    await agents
      .getByRole('row', { name: /writer/ })
      .getByText('Autumn breads')
      .waitFor();

    await runtime('writer', { state: 'failed', detail: 'The key was rejected.' });
    await page.reload();
    await agents.getByText('1 agent has failed.').waitFor();
    await agents.getByText(/Read the reason in the details/).waitFor();
    await unfold(page, 'Agents');
    await agents
      .getByRole('row', { name: /writer/ })
      .getByText('The key was rejected.')
      .waitFor();
    expect(await agents.getByRole('row').count()).toBe(3);
  });

  it('list every advertising connection, and what to do about a broken one', async () => {
    await connection('google-ads/connections/main', { state: 'connected', accountId: '123-456' });
    await connection('meta-ads/connections/main', { state: 'expired', detail: 'Sign in again at Meta.' });
    const page = await pageOf(OWNER, `/clients/${bakery}/diagnostics`);
    const ads = card(page, 'Ads');
    await ads.getByText('1 account is no longer connected.').waitFor();
    await ads.getByText(/Sign in again with the provider/).waitFor();
    await unfold(page, 'Ads');
    await ads
      .getByRole('row', { name: /Google Ads/ })
      .getByText('123-456')
      .waitFor();
    await ads
      .getByRole('row', { name: /Meta Ads/ })
      .getByText('Sign in again at Meta.')
      .waitFor();
    expect(await widthOverflows(page)).toEqual([]);
    await expectAccessible(page);
  });

  it('test how a visit to a landing page is attributed', async () => {
    const page = await pageOf(OWNER, `/clients/${bakery}/diagnostics`);
    await unfold(page, 'Attribution');
    await page.getByRole('button', { name: 'Add landing page' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Autumn breads');
    await dialog.getByLabel('Slug').fill('autumn-bread');
    await dialog.getByLabel('Address').fill('https://bakery.example/autumn');
    await dialog.getByRole('button', { name: 'Add landing page' }).click();
    await dialog.waitFor({ state: 'detached' });
    await card(page, 'Attribution').getByText('Visits to 1 landing page are attributed.').waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByLabel('Link the visitor follows').fill('https://bakery.example/autumn?gclid=abc');
    await dialog.getByRole('button', { name: 'Test' }).click();
    await page.getByText('Paid search').waitFor();
  });

  it('are read-only for a viewer', async () => {
    const page = await pageOf(
      await newPerson(owner, { role: 'viewer', clientIds: [bakery] }),
      `/clients/${bakery}/diagnostics`,
    );
    await unfold(page, 'Attribution');
    await page.getByRole('button', { name: 'Test', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^Add/ }).count()).toBe(0);
  });

  it('explain a card that cannot be loaded, and try again', async () => {
    const page = await pageOf(OWNER, '/');
    await page.route('**/seo-agents?*', (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto(`${service.url}/clients/${bakery}/diagnostics`);
    await card(page, 'Agents').getByText('Could not be loaded.').waitFor();
    await card(page, 'Ads').getByText('1 account is no longer connected.').waitFor();
    await page.unroute('**/seo-agents?*');
    await unfold(page, 'Agents');
    await card(page, 'Agents').getByRole('button', { name: 'Try again' }).click();
    await card(page, 'Agents').getByText('1 agent has failed.').waitFor();
  });
});

describe('The System page', () => {
  it('shows all checks in one row or one column, at every width', async () => {
    const page = await pageOf(OWNER, '/diagnostics');
    const checks = page.getByRole('listitem').filter({ has: page.getByText(/^OK$/) });
    await checks.nth(4).waitFor();
    expect(await checks.count()).toBe(5);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const boxes = await checks.evaluateAll((items: any[]) =>
        items.map((item) => item.getBoundingClientRect().toJSON()),
      );
      const places = (side: 'x' | 'y') => new Set(boxes.map((box) => Math.round(box[side]))).size;
      expect([width, [places('x'), places('y')].sort()]).toEqual([width, [1, 5]]);
    }
    expect(await widthOverflows(page)).toEqual([]);
    await expectAccessible(page);
  });

  it('says what each problem means and what to do, without running over', async () => {
    const page = await pageOf(OWNER, '/diagnostics');
    const { body } = await service.api.get('/status');
    const checks = { database: 'ok', storage: 'forbidden', control: 'copy', queue: 'delayed', temp: 'full' };
    await page.route('**/status', (route) =>
      route.fulfill({ json: { ...body, status: 'degraded', checks } }),
    );
    await page.reload();
    for (const text of [
      'Check the access key',
      'run storage:claim',
      'Start the worker',
      'Free space on the disk',
    ])
      await page.getByRole('listitem').getByText(text).waitFor();
    expect(await widthOverflows(page)).toEqual([]);
    await expectAccessible(page);
    await page.unroute('**/status');
  });
});
