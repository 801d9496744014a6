import type { Browser, Page } from 'playwright-core';
import type { Api } from '../support/api/api.js';
import { Library } from '../support/api/library.js';
import { newClient, newPerson } from '../support/api/people.js';
import { uniqueJpeg, Uploader } from '../support/api/uploads.js';
import { expectAccessible } from '../support/browser/accessibility.js';
import { startBrowser } from '../support/browser/browser.js';
import { type Account, openAs, returnPage, startPages } from '../support/browser/pages.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { eventually } from '../support/eventually.js';
import { OWNER, type Service } from '../support/services/service.js';
import { WordPressMediaLibrary } from '../support/wordpress/wordpress-media.js';

let service: Service;
let owner: Api;
let browser: Browser;
let media: WordPressMediaLibrary;

beforeAll(async () => {
  service = await startPages({ TARGETS_ALLOW_PRIVATE: 'true', WORKER: 'inline' });
  owner = await service.api.signIn(OWNER);
  browser = await startBrowser();
  media = await WordPressMediaLibrary.start();
});
afterAll(async () => {
  await browser?.close();
  await media?.site.stop();
  await service?.stop();
});

const libraryOf = (clientId: string) => new Library(owner, `/admin/clients/${clientId}/assets`);
const dialog = (page: Page) => page.locator('[role=dialog]:not([role=region] *):visible').last();
const toast = (page: Page, text: string | RegExp) => page.getByRole('alertdialog').filter({ hasText: text });
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected assets' });

/** The library, with everything in it selected. */
async function withAllSelected(clientId: string, account: Account = OWNER, path?: string): Promise<Page> {
  const page = await openAs(browser, service, account, path ?? `/clients/${clientId}/assets`);
  await page
    .getByRole('row')
    .and(page.locator('[data-asset]'))
    .first()
    .click({ position: { x: 90, y: 70 } });
  await page.keyboard.press('Control+a');
  return page;
}

describe('Pictures for ten posts', () => {
  it('get titles, texts, tags and a place, and are delivered, in one go', async () => {
    const clientId = await newClient(owner);
    expect((await owner.post(`/admin/clients/${clientId}/targets`, media.site.target())).status).toBe(201);
    const uploader = Uploader.admin(owner, clientId);
    for (let index = 0; index < 10; index++)
      await uploader.upload(uniqueJpeg(), { title: `IMG_${index}`, tags: index ? [] : ['draft'] });
    await uploader.upload(uniqueJpeg(), { title: 'Private', allowedSurfaces: ['social'] });
    const library = libraryOf(clientId);
    const inOrder = (await library.listAll('limit=200')).map(({ assetId }) => assetId as string);

    const page = await withAllSelected(clientId);
    await page.getByRole('row', { name: 'Private', exact: true }).click({
      modifiers: ['Control'],
      position: { x: 90, y: 70 },
    });
    await bar(page).getByText('10 selected').waitFor();
    await page.keyboard.press('e');
    const edit = page.getByRole('dialog', { name: 'Edit 10 assets' });
    await edit.getByText('Leave as is: mixed').first().waitFor();
    expect(await edit.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);

    await edit.getByRole('switch', { name: 'Title' }).press('Space');
    const title = edit.getByRole('textbox', { name: 'New title' });
    await title.fill('Autumn {menu} ');
    await edit.getByText(/^Unknown placeholder/).waitFor();
    await title.fill('Autumn menu ');
    await edit.getByRole('button', { name: 'Number' }).click();
    const preview = edit.getByRole('list', { name: 'Preview of the titles' }).getByRole('listitem');
    await preview.filter({ hasText: 'Autumn menu 10' }).waitFor();
    expect(await preview.allTextContents()).toEqual([
      'IMG_9Autumn menu 01',
      'IMG_8Autumn menu 02',
      'IMG_0Autumn menu 10',
    ]);
    await edit.getByRole('switch', { name: 'Alt text' }).press('Space');
    await edit.getByRole('textbox', { name: 'New text: Alt text' }).fill('A plate of autumn food');
    await edit.getByRole('switch', { name: 'Tags' }).press('Space');
    await edit.getByRole('combobox', { name: 'Add a tag' }).fill('autumn');
    await page.keyboard.press('Enter');
    await edit.getByRole('button', { name: 'draft' }).click();
    await edit.getByRole('switch', { name: 'Where it may be used' }).press('Space');
    await edit.getByRole('button', { name: 'Social media' }).click();
    await edit.getByRole('button', { name: 'Business Profile' }).click();
    await expectAccessible(page);
    await edit.getByRole('button', { name: 'Save' }).click();
    await toast(page, '10 assets changed').waitFor();
    const edited = new Map((await library.listAll('limit=200')).map((asset) => [asset.assetId, asset]));
    expect(inOrder.slice(1).map((id) => edited.get(id))).toMatchObject(
      inOrder.slice(1).map((_id, index) => ({
        title: `Autumn menu ${String(index + 1).padStart(2, '0')}`,
        altText: 'A plate of autumn food',
        tags: ['autumn'],
        allowedSurfaces: ['website'],
      })),
    );
    expect(edited.get(inOrder[0]!)).toMatchObject({ title: 'Private', version: 1 });

    await page.getByRole('row', { name: 'Private', exact: true }).click({
      modifiers: ['Control'],
      position: { x: 90, y: 70 },
    });
    await bar(page).getByRole('button', { name: 'Deliver' }).click();
    const deliver = page.getByRole('dialog', { name: 'Deliver 11 assets' });
    await deliver.getByText('1 asset is not allowed on Website and will not be delivered').waitFor();
    await expectAccessible(page);
    await deliver.getByRole('button', { name: 'Deliver 10' }).click();
    await toast(page, '10 deliveries started.').getByRole('button', { name: 'Show' }).click();
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
    await eventually(() => {
      const sent = media.attachments.map(({ fields }) => [fields['title'], fields['alt_text']]);
      expect(sent.sort()).toEqual(
        Array.from({ length: 10 }, (_, index) => [
          `Autumn menu ${String(index + 1).padStart(2, '0')}`,
          'A plate of autumn food',
        ]),
      );
    }, 60_000);
    await returnPage(page);
  });
});

describe('An edit of more assets than one request accepts', () => {
  it('numbers all of them, names those that cannot be changed, and can be undone', async () => {
    const clientId = await newClient(owner);
    const manager = await newPerson(owner, { role: 'client_manager', clientIds: [clientId] });
    const seeded = Array.from({ length: 1_100 }, (_, index) => ({ title: `Old ${index}` }));
    const [first] = await seedAssets(service.databaseUrl, clientId, seeded);
    const library = libraryOf(clientId);
    const long = 'x'.repeat(196);
    await library.patch(`/${first}`, { title: long });
    const before = await library.listAll('limit=200');

    const page = await withAllSelected(clientId, manager, '/');
    expect(await bar(page).getByRole('button', { name: 'Deliver' }).count()).toBe(0);
    await bar(page).getByRole('button', { name: 'Edit all…' }).click();
    await dialog(page).getByRole('switch', { name: 'Title' }).press('Space');
    const title = dialog(page).getByRole('textbox', { name: 'New title' });
    await title.fill('{title} {n:4}');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await dialog(page).getByRole('alert').getByText('No changes were made').waitFor();
    const failed = dialog(page).getByRole('list', { name: 'What could not be changed' });
    expect(await failed.getByRole('listitem').allTextContents()).toEqual([
      `${long} The title would be longer than 200 characters.`,
    ]);
    await expectAccessible(page);
    expect(
      (await library.listAll('limit=200')).every(
        ({ version }, index) => version === before[index]!['version'],
      ),
    ).toBe(true);

    await title.fill('New {n:4}');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await toast(page, '1,100 assets changed').waitFor();
    const titlesById = new Map(
      (await library.listAll('limit=200')).map(({ assetId, title: now }) => [assetId, now]),
    );
    expect(before.map(({ assetId }) => titlesById.get(assetId))).toEqual(
      before.map((_asset, index) => `New ${String(index + 1).padStart(4, '0')}`),
    );

    await library.patch(`/${first}`, { title: 'Theirs' });
    await toast(page, '1,100 assets changed').getByRole('button', { name: 'Undo' }).click();
    await toast(page, '1 asset has changed since and stays as it is').waitFor();
    const restored = await library.listAll('limit=200');
    expect(restored.map(({ title: now }) => now)).toEqual(
      before.map(({ assetId, title: old }) => (assetId === first ? 'Theirs' : old)),
    );
    await returnPage(page);
  });

  it('is not offered to those who may not change assets', async () => {
    const clientId = await newClient(owner);
    const viewer = await newPerson(owner, { role: 'viewer', clientIds: [clientId] });
    await seedAssets(service.databaseUrl, clientId, [{}, {}]);
    const page = await withAllSelected(clientId, viewer);
    await bar(page).getByText('2 selected').waitFor();
    expect(
      await bar(page)
        .getByRole('button', { name: /Edit|Deliver/ })
        .count(),
    ).toBe(0);
    await page.keyboard.press('e');
    expect(await dialog(page).count()).toBe(0);
    await returnPage(page);
  });
});
