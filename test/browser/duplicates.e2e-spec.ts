import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { Api } from '../support/api/api.js';
import { expectAccessible } from '../support/browser/accessibility.js';
import { startBrowser } from '../support/browser/browser.js';
import { eventually } from '../support/eventually.js';
import { openAs, startPages } from '../support/browser/pages.js';
import { newClient, newPerson } from '../support/api/people.js';
import { OWNER, type Service } from '../support/services/service.js';
import { type TestFile, uniqueJpeg, Uploader } from '../support/api/uploads.js';

/** The page's own. */
declare const sessionStorage: any;

let service: Service;
let owner: Api;
let browser: Browser;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'duplicates-'));
  service = await startPages({ WORKER: 'inline' });
  owner = await service.api.signIn(OWNER);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  rmSync(directory, { recursive: true });
});

const copiesKeptIn = (page: Page): Promise<number> =>
  page.evaluate(() => Object.keys(sessionStorage).filter((name) => name.startsWith('upload-copy:')).length);
const panelOf = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const button = (page: Page, name: string | RegExp) => panelOf(page).getByRole('button', { name });

async function pick(page: Page, files: readonly (readonly [name: string, file: TestFile])[]): Promise<void> {
  const paths = files.map(([name, { bytes }]) => {
    const path = join(directory, name);
    writeFileSync(path, bytes);
    return path;
  });
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click();
  const isPhone = page.viewportSize()!.width < 560;
  if (isPhone) await page.getByRole('menuitem', { name: 'Choose files' }).click();
  await (await chooser).setFiles(paths);
}

const WIDTHS = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } };

/** A page of a new client's library with these assets. */
async function libraryWith(
  files: readonly TestFile[],
  { width = 'desktop', side = 'admin' }: { width?: keyof typeof WIDTHS; side?: 'admin' | 'portal' } = {},
) {
  const clientId = await newClient(owner);
  const uploader = Uploader.admin(owner, clientId);
  const existing: any[] = [];
  for (const [index, file] of files.entries())
    existing.push(await uploader.upload(file, { title: `Existing ${index}` }));
  const options =
    width === 'phone'
      ? { viewport: WIDTHS.phone, hasTouch: true, isMobile: true }
      : { viewport: WIDTHS.desktop };
  const person =
    side === 'admin' ? OWNER : await newPerson(owner, { role: 'client_manager', clientIds: [clientId] });
  const path = side === 'admin' ? `/clients/${clientId}/assets` : '/library';
  const page = await openAs(browser, service, person, path, options);
  await page.getByRole('button', { name: 'Upload', exact: true }).first().waitFor();
  const base = `/admin/clients/${clientId}/assets`;
  const ids = async () =>
    (await owner.get(`${base}?limit=200`)).body.assets.map(({ assetId }: any) => assetId).sort();
  return { page, existing, ids, base };
}

describe.each(['phone', 'desktop'] as const)('Copies in an upload on a %s', (width) => {
  it('are counted at its end, linked to what was there, and removed with undo', async () => {
    const files = [uniqueJpeg(), uniqueJpeg(), uniqueJpeg()];
    const { page, existing, ids } = await libraryWith(files, { width, side: 'portal' });
    const fresh = uniqueJpeg();
    await pick(page, [
      ...files.map((file, index) => [`copy ${index}.jpg`, file] as const),
      ['new.jpg', fresh],
    ]);
    const panel = panelOf(page);
    await panel.getByText('3 were already here').waitFor();
    await expectAccessible(page);
    if (width === 'phone') await button(page, 'Expand').click();
    await panel.getByRole('link', { name: existing[0].title }).first().waitFor();
    expect(await ids()).toHaveLength(7);
    await button(page, 'Remove copies').click();
    await page.getByText('3 copies moved to trash').waitFor();
    await eventually(async () => expect(await ids()).toHaveLength(4));
    expect(await ids()).toEqual(expect.arrayContaining(existing.map(({ assetId }) => assetId)));
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => expect(await ids()).toHaveLength(7));
    await page.close();
  });

  it('stay if the person keeps them', async () => {
    const files = [uniqueJpeg(), uniqueJpeg()];
    const { page, ids } = await libraryWith(files, { width });
    await pick(
      page,
      files.map((file, index) => [`copy ${index}.jpg`, file]),
    );
    await panelOf(page).getByText('2 were already here').waitFor();
    await button(page, 'Keep').first().click();
    await panelOf(page).getByText('were already here').waitFor({ state: 'hidden' });
    expect(await ids()).toHaveLength(4);
    await page.close();
  });
});

describe('Copies in an upload', () => {
  it('lead to the existing asset', async () => {
    const file = uniqueJpeg();
    const { page, existing } = await libraryWith([file]);
    await pick(page, [['again.jpg', file]]);
    await panelOf(page).getByText('1 was already here').waitFor();
    await panelOf(page).getByRole('link', { name: existing[0].title }).click();
    await page.waitForURL(new RegExp(`asset=${existing[0].assetId}`));
    await page.close();
  });

  it('of each other leave one', async () => {
    const file = uniqueJpeg();
    const { page, ids } = await libraryWith([]);
    await pick(
      page,
      ['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}.jpg`, file]),
    );
    await panelOf(page).getByText('4 were already here').waitFor();
    await button(page, 'Remove copies').click();
    await page.getByText('4 copies moved to trash').waitFor();
    expect(await ids()).toHaveLength(1);
    await page.close();
  });

  it('stay if the existing asset has been trashed meanwhile', async () => {
    const files = [uniqueJpeg(), uniqueJpeg()];
    const { page, existing, ids, base } = await libraryWith(files);
    await pick(
      page,
      files.map((file, index) => [`copy ${index}.jpg`, file]),
    );
    await panelOf(page).getByText('2 were already here').waitFor();
    await owner.delete(`${base}/${existing[0].assetId}`);
    await button(page, 'Remove copies').click();
    await page.getByText('1 copy moved to trash').waitFor();
    await page.getByText('1 was kept because it is in use or no other copy is left').waitFor();
    const left = await ids();
    expect(left).toHaveLength(2);
    expect(left).toContain(existing[1].assetId);
    await page.close();
  });

  it('can be decided one at a time', async () => {
    const files = [uniqueJpeg(), uniqueJpeg()];
    const { page, ids } = await libraryWith(files);
    await pick(
      page,
      files.map((file, index) => [`twin ${index}.jpg`, file]),
    );
    await button(page, 'Remove the new copy of twin 0.jpg').click();
    await panelOf(page).getByText('1 was already here').waitFor();
    expect(await ids()).toHaveLength(3);
    await page.close();
  });

  it('are still offered after a reload, but not to another account', async () => {
    const file = uniqueJpeg();
    const { page, ids } = await libraryWith([file], { side: 'portal' });
    await pick(page, [['again.jpg', file]]);
    await panelOf(page).getByText('1 was already here').waitFor();
    await page.reload();
    await panelOf(page).getByText('1 was already here').waitFor();
    await button(page, 'Remove copy').click();
    await page.getByText('1 copy moved to trash').waitFor();
    expect(await ids()).toHaveLength(1);
    await page.reload();
    await page.getByRole('button', { name: 'Upload', exact: true }).first().waitFor();
    expect(await copiesKeptIn(page)).toBe(0);

    await pick(page, [['again.jpg', file]]);
    await panelOf(page).getByText('1 was already here').waitFor();
    const other = await newPerson(owner, { role: 'client_manager', clientIds: [await newClient(owner)] });
    await page.context().clearCookies();
    await page.goto(`${service.url}/sign-in`);
    await page.getByLabel('Email').fill(other.email);
    await page.getByLabel('Password', { exact: true }).fill(other.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await pick(page, [['other.jpg', uniqueJpeg()]]);
    await panelOf(page).getByText('1 file uploaded').first().waitFor();
    expect(await copiesKeptIn(page)).toBe(1);
    expect(await panelOf(page).getByText('already here').count()).toBe(0);
    await page.close();
  });

  it('can only be kept by a person who may not delete', async () => {
    const file = uniqueJpeg();
    const { page } = await libraryWith([file], { side: 'portal' });
    await pick(page, [['again.jpg', file]]);
    await button(page, 'Remove copy').waitFor();
    await page.route('**/auth/refresh', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      body.user.permissions = body.user.permissions.filter(
        (permission: string) => permission !== 'assets:write',
      );
      await route.fulfill({ response, json: body });
    });
    await page.reload();
    await panelOf(page).getByText('1 was already here').waitFor();
    await button(page, 'Keep').waitFor();
    expect(await button(page, /Remove/).count()).toBe(0);
    await page.close();
  });
});
