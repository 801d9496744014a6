import { text } from 'node:stream/consumers';
import type { Browser, Page } from 'playwright-core';
import { expectAccessible } from '../support/browser/accessibility.js';
import type { Api } from '../support/api/api.js';
import { startBrowser } from '../support/browser/browser.js';
import { waitUntil } from '../support/api/library.js';
import { openAs, startPages } from '../support/browser/pages.js';
import { newClient, newPerson } from '../support/api/people.js';
import { seedDelivery, seedTarget } from '../support/database/seed-deliveries.js';
import { OWNER, query, type Service } from '../support/services/service.js';
import { uniqueJpeg, Uploader } from '../support/api/uploads.js';

let service: Service;
let owner: Api;
let browser: Browser;
let clientId: string;
const pages: Page[] = [];

beforeAll(async () => {
  service = await startPages({ WORKER: 'inline' });
  owner = await service.api.signIn(OWNER);
  browser = await startBrowser();
});
beforeEach(async () => {
  clientId = await newClient(owner);
});
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

async function open(path: string, account: Parameters<typeof openAs>[2] = OWNER): Promise<Page> {
  const page = await openAs(browser, service, account, path, {});
  pages.push(page);
  return page;
}
const activity = (account?: Parameters<typeof openAs>[2]) => open(`/clients/${clientId}/activity`, account);

async function upload(title: string, folderId: string | null = null): Promise<{ assetId: string }> {
  const asset: any = await Uploader.admin(owner, clientId).upload(uniqueJpeg(), { title, folderId });
  return asset;
}
async function newFolder(name: string, parentId: string | null): Promise<string> {
  const { body } = await owner.post(`/admin/clients/${clientId}/assets/folders`, { name, parentId });
  return body.folderId;
}
const assets = () => `/admin/clients/${clientId}/assets`;
const rowOf = (page: Page, text: string | RegExp) => page.getByRole('row').filter({ hasText: text });
const detailsIn = (page: Page) => page.getByRole('complementary', { name: 'Details' });

describe('The Activity page', () => {
  it('shows the upload of a nested folder in one row, which expands', async () => {
    const summer = await newFolder('Summer', null);
    const beach = await newFolder('Beach', summer);
    await upload('First', summer);
    await upload('Second', beach);
    await upload('Third', beach);
    await upload('<b>Fourth</b>', beach);

    const page = await activity();
    const group = rowOf(page, 'Uploaded 4 assets');
    await group.getByText('<b>Fourth</b>').waitFor();
    expect(await rowOf(page, 'Uploaded').count()).toBe(1);
    await rowOf(page, 'Created 2 folders').getByText('Summer/Beach').waitFor();
    expect(await group.locator('img').count()).toBe(4);
    expect(await page.getByRole('link', { name: 'First' }).count()).toBe(0);

    const toggle = group.getByRole('button', { name: /^Show all 4/ });
    await toggle.focus();
    await page.keyboard.press('Enter');
    for (const title of ['First', 'Second', 'Third', '<b>Fourth</b>'])
      await page.getByRole('link', { name: title, exact: true }).waitFor();
    await expectAccessible(page);
    await group.getByRole('button', { name: /^Hide/, expanded: true }).click();
    await page.getByRole('link', { name: 'First' }).waitFor({ state: 'detached' });
  });

  it('names an edited asset, shows its picture, and leads to its details', async () => {
    const folderId = await newFolder('Bread', null);
    const { assetId } = await upload('Rye', folderId);
    await owner.patch(`${assets()}/${assetId}`, { title: 'Sourdough', altText: 'A loaf' });

    const page = await activity();
    const row = rowOf(page, 'Edited an asset');
    await row.getByText('title and alt text').waitFor();
    const picture = row.locator('img');
    await waitUntil(
      () => picture.evaluate((image: any): boolean => image.complete && image.naturalWidth > 0),
      'the picture is shown',
    );
    await row.getByRole('link', { name: 'Sourdough' }).click();
    await detailsIn(page).getByRole('button', { name: 'Edit Title: Sourdough' }).waitFor();
    await page.getByText('1 selected').waitFor();
    expect(new URL(page.url()).searchParams.get('folder')).toBe(folderId);
    await page.goBack();
    await row.waitFor();
  });

  it('says in the readers’ words what an edit changed, without ids that nobody can look up', async () => {
    const { assetId } = await upload('Pretzel');
    await owner.patch(`${assets()}/${assetId}`, { allowedSurfaces: ['gbp'] });
    await owner.delete(`${assets()}/${assetId}`);
    const page = await activity();
    const fieldsOf = async (action: string) => {
      await page.getByRole('button', { name: `Details of “${action}”` }).click();
      const dialog = page.getByRole('dialog', { name: action });
      const rows = await dialog
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader') })
        .allInnerTexts();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      return rows.map((row) => row.split('\t'));
    };
    expect(await fieldsOf('Edited an asset')).toEqual([
      ['Where it may be used', 'Everywhere', 'Only on: Business Profile'],
    ]);
    expect(await fieldsOf('Moved an asset to the trash')).toEqual([['Title', 'Pretzel', '–']]);
    const uploaded = await fieldsOf('Uploaded an asset');
    expect(uploaded).toContainEqual(['Title', 'Pretzel']);
    expect(uploaded.map(([field]) => field)).not.toContain('sha256');
  });

  it('and the Deliveries page show icons instead of pictures that cannot be loaded', async () => {
    const { assetId } = await upload('Bagel');
    const targetId = await seedTarget(service.databaseUrl, clientId);
    await seedDelivery(service.databaseUrl, { clientId, assetId, targetId });
    const page = await open('/clients');
    await page.route('**/preview?*', (route) => route.abort());
    for (const path of ['activity', 'deliveries']) {
      await page.goto(`${service.url}/clients/${clientId}/${path}`);
      const row = rowOf(page, 'Bagel').first();
      await row.locator('.lucide-file-image').waitFor();
      await row.locator('img').waitFor({ state: 'detached' });
    }
  });

  it('leads to the trash while an asset is there, and nowhere once it is deleted', async () => {
    const { assetId } = await upload('Baguette');
    await owner.delete(`${assets()}/${assetId}`);
    const page = await activity();
    const row = rowOf(page, 'Moved an asset to the trash');
    await row.getByText('(in the trash)').waitFor();
    await row.getByRole('link', { name: 'Baguette' }).click();
    await page.waitForURL(`**/clients/${clientId}/trash`);

    await owner.delete(`${assets()}/trash`);
    await waitUntil(async () => {
      const { body } = await owner.get(`/admin/clients/${clientId}/audit?limit=1`);
      return body.events[0].action === 'trash.purged';
    }, 'the trash is empty');
    await page.goto(`${service.url}/clients/${clientId}/activity`);
    await row.getByText('Baguette').waitFor();
    await row.getByText('(deleted)').waitFor();
    expect(await row.getByRole('link').count()).toBe(0);
  });

  it('answers who did what on a day, keeps the filters in the address, and saves them as CSV', async () => {
    await upload('Brezel');
    const folderId = await newFolder('Winter', null);
    const operator = await newPerson(owner, { role: 'operator', clientIds: [clientId] });
    await operator.api.delete(`${assets()}/folders`, { folderId });
    await query(
      service.databaseUrl,
      `UPDATE events SET at = '2026-01-20T12:00:00Z', id = ('019bdb2e-5000-7000-8' || substr(id::text, 21))::uuid
        WHERE client_id = $1 AND action = 'asset.create'`,
      [clientId],
    );
    const page = await activity();
    await rowOf(page, 'Uploaded an asset').waitFor();
    await page.getByLabel('From').fill('2026-01-20');
    await page.getByLabel('To', { exact: true }).fill('2026-01-20');
    await rowOf(page, 'Created a folder').waitFor({ state: 'detached' });
    await rowOf(page, 'Uploaded an asset').waitFor();
    expect(new URL(page.url()).search).toBe('?from=2026-01-20&to=2026-01-20');

    await page.goto(`${service.url}/clients/${clientId}/activity?kind=trash`);
    await rowOf(page, 'Moved a folder to the trash').getByText(operator.email).waitFor();
    await page.getByRole('searchbox', { name: 'Person or service' }).fill('nobody of this name');
    await page.getByText('No activity matches these filters').waitFor();
    await page.getByRole('searchbox', { name: 'Person or service' }).fill(operator.email);
    await rowOf(page, 'Moved a folder to the trash').waitFor();
    expect(new URL(page.url()).searchParams.get('who')).toBe(operator.email);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(saved.suggestedFilename()).toMatch(/^activity-.*\.csv$/);
    const rows = (await text(await saved.createReadStream())).trimEnd().split('\r\n');
    expect(rows).toHaveLength(2);
    expect(rows[1]).toContain('folder.trash');

    await page.getByRole('button', { name: /^Details of/ }).click();
    await page.getByRole('button', { name: 'Show everything that happened to this' }).click();
    await rowOf(page, 'Created a folder').waitFor();
    expect(await page.getByRole('row').count()).toBe(3);
  });

  it('of everything tells an owner who signed in and who failed to', async () => {
    const person = await newPerson(owner, { role: 'viewer', clientIds: [clientId] });
    await owner.post('/auth/login', { email: person.email, password: 'a wrong one' });
    await waitUntil(async () => {
      const { body } = await owner.get(`/admin/audit?subject=user/${person.userId}&action=sign_in.refuse`);
      return body.events.length === 1;
    }, 'the refusal is recorded');
    const page = await open('/activity?kind=signIns');
    await rowOf(page, 'Sign-in refused').getByText(person.email).waitFor();
    await rowOf(page, 'Sign-in refused').getByText('from 127.0.0.1').waitFor();
    await rowOf(page, 'Signed in').filter({ hasText: person.email }).first().waitFor();
    await expectAccessible(page);
    await page.goto(`${service.url}/activity`);
    await rowOf(page, 'Created a user').getByText(person.email).waitFor();
    await rowOf(page, 'Created the client').first().getByText('Test client').first().waitFor();
  });

  it('never states a number that it does not know', async () => {
    await query(
      service.databaseUrl,
      `INSERT INTO events (id, at, client_id, actor_kind, actor_name, action, subject_kind, subject_id, after)
         SELECT ('019a0000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, now() - (500 - n) * interval '1 second', $1, 'system',
                'system', 'asset.create', 'asset', gen_random_uuid(), jsonb_build_object('title', 'Import ' || n)
           FROM generate_series(1, 230) n`,
      [clientId],
    );
    await query(
      service.databaseUrl,
      `UPDATE events SET at = now() - interval '1 day' WHERE client_id = $1 AND action = 'client.create'`,
      [clientId],
    );
    const page = await activity();
    await page.getByText(/^Uploaded (199|200)\+ assets$/).waitFor();
    await page.getByRole('button', { name: /^Show the latest/ }).click();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('Uploaded 230 assets', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Hide/, expanded: true }).click();
    await page.getByRole('button', { name: /^Show all 230/ }).waitFor();
  });
});

describe('The details of an asset', () => {
  it('list who did what to it when asked, for those who may read that', async () => {
    const { assetId } = await upload('Croissant');
    await upload('Another');
    await owner.patch(`${assets()}/${assetId}`, { tags: ['butter'] });
    const path = `/clients/${clientId}/assets?details=${assetId}`;
    const viewer = await newPerson(owner, { role: 'viewer', clientIds: [clientId] });
    const page = await open(path, viewer);
    await detailsIn(page).getByRole('button', { name: 'Show activity' }).click();
    const entries = page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
    await entries.first().waitFor();
    expect(await entries.allInnerTexts()).toEqual([
      expect.stringMatching(/^Edited an asset\s+tags/i),
      expect.stringMatching(/^Uploaded an asset/),
    ]);
    expect(await entries.first().innerText()).toContain(OWNER.email);
    await expectAccessible(page);

    const client = await newPerson(owner, { role: 'client_manager', clientIds: [clientId] });
    const portal = await open(`/library?details=${assetId}`, client);
    await detailsIn(portal).getByText('Croissant').first().waitFor();
    await detailsIn(portal).getByRole('button', { name: 'Show activity' }).click();
    const inPortal = portal.getByRole('list', { name: 'Activity' }).getByRole('listitem');
    await inPortal.first().getByText('Agency').waitFor();
    await portal.goto(`${service.url}/library/activity`);
    await rowOf(portal, 'Uploaded 2 assets').getByText('Agency').waitFor();
    await portal.getByRole('link', { name: 'Croissant' }).click();
    await detailsIn(portal).getByRole('button', { name: 'Edit Title: Croissant' }).waitFor();
  });
});
