import type { Browser, Page } from 'playwright-core';
import type { Api } from '../support/api/api.js';
import { startBrowser } from '../support/browser/browser.js';
import { expectAccessible } from '../support/browser/accessibility.js';
import { type Account, failuresIn, openAs, returnPage, startPages } from '../support/browser/pages.js';
import { newClient, newPerson, type Person } from '../support/api/people.js';
import { OWNER, type Service } from '../support/services/service.js';
import { uniqueJpeg, Uploader } from '../support/api/uploads.js';

/** The page's own. */
declare const document: any;

const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const TITLE = (text: string) => `${text} · Asset Library`;

let service: Service;
let owner: Api;
let browser: Browser;
let bakery: string;
let florist: string;
let operator: Person;
let manager: Person;
let library: Uploader;
const opened: Page[] = [];

beforeAll(async () => {
  service = await startPages();
  owner = await service.api.signIn(OWNER);
  bakery = await newClient(owner, 'Corner Bakery');
  florist = await newClient(owner, 'Green Florist');
  operator = await newPerson(owner, { role: 'operator', clientIds: [bakery] });
  manager = await newPerson(owner, { role: 'client_manager', clientIds: [bakery] });
  library = Uploader.admin(owner, bakery);
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

async function expectHeading(page: Page, text: string): Promise<void> {
  await page.getByRole('heading', { name: text, exact: true }).waitFor();
  await page.waitForFunction((title) => document.title === title, TITLE(text));
}

const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name });
const newFolder = async (name: string, parentId?: string): Promise<string> =>
  (await owner.post(`${library.base}/folders`, { name, parentId })).body.folderId;
const trash = (folderId: string) =>
  owner.request('DELETE', `${library.base}/folders`, { body: { folderId } });

describe('The address of a client', () => {
  it.each([
    ['does not exist', '/clients/nobody/assets'],
    ['cannot exist', '/clients/a%20b%2F%3Cc%3E/trash'],
    ['does not exist, with an unknown page', '/clients/nobody/nowhere'],
  ])('that %s leads to the list of clients', async (_, path) => {
    const page = await pageOf(OWNER, path);
    await expectHeading(page, 'Client not found');
    expect(await page.getByRole('heading').allTextContents()).toEqual(['Client not found']);
    expect(await link(page, 'Deliveries').count()).toBe(0);
    await link(page, 'Show all clients').click();
    await page.getByRole('heading', { name: 'Clients', exact: true }).waitFor();
    await page.goBack();
    await expectHeading(page, 'Client not found');
  });

  it('says the same about a client that the user has no access to', async () => {
    const page = await pageOf(operator, '/clients/nobody/assets');
    await expectHeading(page, 'Client not found');
    const unknown = await page.locator('body').innerText();
    for (const path of ['assets', 'trash', 'deliveries', 'targets', 'activity', 'diagnostics', 'nowhere']) {
      await page.goto(`${service.url}/clients/${florist}/${path}`);
      await expectHeading(page, 'Client not found');
      expect(await page.locator('body').innerText()).toBe(unknown);
    }
    await expectAccessible(page);
  });

  it('stops working in an open window when the user loses access', async () => {
    const person = await newPerson(owner, { role: 'operator', clientIds: [bakery, florist] });
    const page = await pageOf(person, `/clients/${florist}/assets`);
    await page.getByRole('button', { name: 'Upload', exact: true }).first().waitFor();
    await owner.request('PATCH', `/admin/users/${person.userId}`, { body: { clientIds: [bakery] } });
    await expectHeading(page, 'Client not found');
  });
});

describe('The address of a page that does not exist', () => {
  it('keeps the navigation, and leads to the library of the client', async () => {
    const page = await pageOf(OWNER, `/clients/${bakery}/nowhere`);
    await expectHeading(page, 'Page not found');
    await link(page, 'Deliveries').waitFor();
    await link(page, 'Go to the library').click();
    await page.waitForURL(`**/clients/${bakery}/assets`);
    await page.goBack();
    await expectHeading(page, 'Page not found');
  });

  it('leads to the start page elsewhere', async () => {
    const page = await pageOf(OWNER, '/nowhere');
    await expectHeading(page, 'Page not found');
    await expectAccessible(page);
    await link(page, 'Go to the start page').click();
    await page.waitForURL('**/clients');
  });

  it('leads to the library in the portal', async () => {
    const page = await pageOf(manager, '/library/nowhere');
    await expectHeading(page, 'Page not found');
    await link(page, 'Go to the library').click();
    await page.waitForURL('**/library');
  });
});

describe.each([
  ['an operator', () => operator, () => `/clients/${bakery}/assets`],
  ['a client', () => manager, () => '/library'],
])('%s who opens the address of', (who, person, path) => {
  it.each(['an unknown', 'a malformed'])('%s folder is led to the library', async (kind) => {
    const page = await pageOf(person(), path());
    await page.getByRole('button', { name: 'Upload', exact: true }).first().waitFor();
    await page.goto(`${service.url}${path()}?folder=${kind === 'a malformed' ? '%3Cx%3E' : UNKNOWN}`);
    await expectHeading(page, 'Folder not found');
    expect(await page.getByRole('button', { name: 'Upload', exact: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await expectAccessible(page);
    await link(page, 'Go to the library').click();
    await page.getByRole('heading', { name: 'Library', exact: true }).waitFor();
    await page.goBack();
    await expectHeading(page, 'Folder not found');
  });

  it('a folder in the trash is led to the trash', async () => {
    const folderId = await newFolder(`Old menu of ${who}`);
    await trash(folderId);
    const page = await pageOf(person(), `${path()}?folder=${folderId}`);
    await expectHeading(page, 'This folder is in the trash');
    await link(page, 'Open the trash').click();
    await page.getByRole('heading', { name: 'Trash', exact: true }).waitFor();
    await page.getByRole('cell', { name: `Old menu of ${who}`, exact: true }).waitFor();
  });

  it.each([
    ['an unknown asset', 'asset', UNKNOWN],
    ['a malformed asset', 'asset', '%3Cx%3E'],
    ['the details of an unknown asset', 'details', UNKNOWN],
    ['the details of a malformed asset', 'details', '%3Cx%3E'],
  ])('%s sees the library behind the explanation', async (_, parameter, id) => {
    const page = await pageOf(person(), `${path()}?${parameter}=${id}`);
    await expectHeading(page, 'Asset not found');
    expect(await page.getByText('1 selected').count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Go to the library' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('heading', { name: 'Library', exact: true }).waitFor();
  });

  it.each([
    ['an asset', 'asset'],
    ['the details of an asset', 'details'],
  ])('%s in the trash is led to the trash', async (_, parameter) => {
    const title = `Old loaf of ${who} (${parameter})`;
    const asset = await library.upload(uniqueJpeg(), { title });
    await owner.request('DELETE', `${library.base}/${asset.assetId}`);
    const page = await pageOf(person(), `${path()}?${parameter}=${asset.assetId}`);
    await expectHeading(page, 'This asset is in the trash');
    await link(page, 'Open the trash').click();
    await page.getByRole('cell', { name: title, exact: true }).waitFor();
    await page.goBack();
    await expectHeading(page, 'This asset is in the trash');
  });
});

describe('While it is shown,', () => {
  it('a folder that somebody trashes leads to its parent, and returns when it is restored', async () => {
    const parent = await newFolder('Seasons');
    const folderId = await newFolder('Autumn', parent);
    const page = await pageOf(operator, `/clients/${bakery}/assets?folder=${folderId}`);
    await page.getByRole('heading', { name: 'Autumn' }).waitFor();
    const { batchId } = (await trash(folderId)).body;
    await expectHeading(page, 'This folder is in the trash');
    await owner.post(`${library.base}/trash/restore`, { batchId });
    await page.getByRole('heading', { name: 'Autumn' }).waitFor();

    const again = (await trash(folderId)).body.batchId;
    await owner.request('DELETE', `${library.base}/trash`, { body: { batchId: again } });
    await expectHeading(page, 'Folder not found');
    await link(page, 'Go to Seasons').click();
    await page.getByRole('heading', { name: 'Seasons' }).waitFor();
  });

  it('a folder that disappears together with its parent leads to the library', async () => {
    const parent = await newFolder('Years');
    const folderId = await newFolder('2026', parent);
    const page = await pageOf(operator, `/clients/${bakery}/assets?folder=${folderId}`);
    await page.getByRole('heading', { name: '2026' }).waitFor();
    await trash(parent);
    await expectHeading(page, 'This folder is in the trash');
    await link(page, 'Go to the library').waitFor();
    expect(await link(page, /Years/).count()).toBe(0);
  });

  it('an asset that somebody trashes closes, with an explanation', async () => {
    const asset = await library.upload(uniqueJpeg(), { title: 'Short-lived' });
    const page = await pageOf(operator, `/clients/${bakery}/assets?asset=${asset.assetId}`);
    await page.getByRole('dialog', { name: 'Short-lived' }).or(page.locator('.yarl__root')).first().waitFor();
    await owner.request('DELETE', `${library.base}/${asset.assetId}`);
    await expectHeading(page, 'This asset is in the trash');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
  });
});
