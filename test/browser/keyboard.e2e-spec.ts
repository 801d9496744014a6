import type { Browser, Page } from 'playwright-core';
import type { Api } from '../support/api/api.js';
import { startBrowser } from '../support/browser/browser.js';
import { eventually } from '../support/eventually.js';
import { Library } from '../support/api/library.js';
import { failuresIn, inTree, openAs, returnPage, startPages } from '../support/browser/pages.js';
import { newClient, newPerson, PASSWORD } from '../support/api/people.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { OWNER, type Service } from '../support/services/service.js';
import { uniqueJpeg, Uploader } from '../support/api/uploads.js';

/** The page's own. */
declare const document: any;

let service: Service;
let owner: Api;
let browser: Browser;
let clientId: string;
let folderId: string;
let library: Library;
let page: Page;

const TITLES = ['Bread', 'Cake', 'Croissant'];
const CLIENT = 'Bakery Blum';

beforeAll(async () => {
  service = await startPages({ WORKER: 'inline' });
  owner = await service.api.signIn(OWNER);
  browser = await startBrowser();
  clientId = await newClient(owner, CLIENT);
  library = new Library(owner, `/admin/clients/${clientId}/assets`);
  folderId = await library.folder('Autumn');
  const uploader = Uploader.admin(owner, clientId);
  for (const title of TITLES) await uploader.upload(uniqueJpeg(), { title, folderId });
  page = await openAs(browser, service, OWNER, '/clients');
  page.setDefaultTimeout(15_000);
  await page.getByRole('link', { name: CLIENT }).waitFor();
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
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const lightbox = (title: string) => dialog(title);
const details = () => page.getByRole('complementary', { name: 'Details' });
const goTo = (path: string) => page.goto(service.url + path);
const titled = (title: string, on = page) => on.waitForFunction((wanted) => document.title === wanted, title);

/** The name of what has the focus; empty if it is lost. */
const focused = (on = page): Promise<string> =>
  on.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return '';
    const label = element.getAttribute('aria-label') ?? element.textContent.trim();
    return label || element.tagName;
  });
const waitForFocus = (name: string | RegExp, on = page) =>
  eventually(async () => {
    const now = await focused(on);
    expect(now).toEqual(typeof name === 'string' ? name : expect.stringMatching(name));
  }, 10_000);
const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** The folder with the three assets, sorted by title, with the focus on one of them. */
async function openFolder(title = 'Bread'): Promise<void> {
  await goTo(`/clients/${clientId}/assets?folder=${folderId}&sort=title`);
  await card(title).waitFor();
  await page.keyboard.press('Tab');
  await waitForFocus('Skip to content');
  await page.keyboard.press('Enter');
  await waitForFocus('Bread');
  for (const each of TITLES.slice(0, TITLES.indexOf(title) + 1).slice(1)) {
    await page.keyboard.press('ArrowRight');
    await waitForFocus(each);
  }
}

describe('The title of the browser tab', () => {
  it('says what is shown, the most specific first, and follows navigation and renames', async () => {
    await goTo('/clients');
    await titled('Clients · Asset Library');
    await page.getByRole('link', { name: CLIENT }).click();
    await titled('Bakery Blum · Asset Library');
    await inTree(page, 'Autumn').click();
    await titled('Autumn · Bakery Blum · Asset Library');
    expect((await library.patch('/folders', { folderId, name: 'Autumn 2026' })).status).toBe(200);
    await titled('Autumn 2026 · Bakery Blum · Asset Library');
    await card('Cake').press('Enter');
    await lightbox('Cake').waitFor();
    await titled('Cake · Bakery Blum · Asset Library');
    await page.keyboard.press('ArrowRight');
    await eventually(async () => expect(await page.title()).not.toContain('Cake'), 10_000);
    await page.keyboard.press('Escape');
    await titled('Autumn 2026 · Bakery Blum · Asset Library');
    await page.getByLabel('Search assets').fill('bread');
    await titled('“bread” · Autumn 2026 · Bakery Blum · Asset Library');
    await page.getByRole('link', { name: 'Trash' }).click();
    await titled('Trash · Bakery Blum · Asset Library');
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await titled('Deliveries · Bakery Blum · Asset Library');
    await goTo('/users');
    await titled('Users · Asset Library');
    await goTo('/no-such-page');
    await titled('Page not found · Asset Library');
  });
});

describe('"Skip to content"', () => {
  it('leads to the pictures, past the toolbar and the folders', async () => {
    await openFolder();
  });

  it('leads past the toolbar when a folder has no pictures', async () => {
    const emptyId = await library.folder('Nothing yet');
    await goTo(`/clients/${clientId}/assets?folder=${emptyId}`);
    await page.getByText('This folder is empty').waitFor();
    await press('Tab', 'Enter', 'Tab');
    await waitForFocus('Upload');
  });

  it('leads to the content of every other page', async () => {
    await goTo('/users');
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    await press('Tab', 'Enter', 'Tab');
    await waitForFocus('Invite');
  });
});

describe('In the opened picture', () => {
  it('I shows its details', async () => {
    await openFolder('Cake');
    await page.keyboard.press('Enter');
    await lightbox('Cake').waitFor();
    await page.keyboard.press('i');
    await details()
      .getByRole('button', { name: /^Edit Title.*Cake|Cake/ })
      .first()
      .waitFor();
    await lightbox('Cake').waitFor({ state: 'detached' });
    await waitForFocus('Cake');
    await page.keyboard.press('i');
    await details().waitFor({ state: 'detached' });
    await waitForFocus('Cake');
  });

  it('Delete moves it to the trash, shows the next one, and can be undone', async () => {
    await openFolder('Cake');
    await page.keyboard.press('Enter');
    await lightbox('Cake').waitFor();
    await page.keyboard.press('Delete');
    await lightbox('Croissant').waitFor();
    const toast = page.getByRole('alertdialog').filter({ hasText: 'to trash' });
    await toast.waitFor();
    const titles = async () => (await library.listAll('below=true')).map(({ title }) => title).sort();
    await eventually(async () => expect(await titles()).toEqual(['Bread', 'Croissant']), 10_000);

    // The last one: there is only the one before it.
    await page.keyboard.press('Delete');
    await lightbox('Bread').waitFor();
    await eventually(async () => expect(await titles()).toEqual(['Bread']), 10_000);
    await page.keyboard.press('Control+z');
    await eventually(async () => expect(await titles()).toEqual(['Bread', 'Croissant']), 10_000);
    await eventually(async () => {
      await page.keyboard.press('ArrowRight');
      await lightbox('Croissant').waitFor({ timeout: 500 });
    }, 10_000);
    await page.keyboard.press('Delete');
    await lightbox('Bread').waitFor();
    await toast.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => expect(await titles()).toEqual(['Bread', 'Croissant']), 10_000);
    await page.keyboard.press('Escape');
    await waitForFocus('Bread');
    await restoreAll();
  });

  it('Delete does nothing for someone who may only look', async () => {
    const viewer = await newPerson(owner, { role: 'client_viewer', clientIds: [clientId] });
    const portal = await openAs(browser, service, viewer, `/library?folder=${folderId}&sort=title`);
    await card('Cake', portal).press('Enter');
    const opened = portal.getByRole('dialog', { name: 'Cake' });
    await opened.waitFor();
    await portal.keyboard.press('Delete');
    await portal.keyboard.press('ArrowRight');
    await portal.getByRole('dialog', { name: 'Croissant' }).waitFor();
    // The lightbox can miss a key that follows another one quickly.
    await eventually(async () => {
      await portal.keyboard.press('ArrowLeft');
      await opened.waitFor({ timeout: 1_000 });
    }, 10_000);
    await returnPage(portal);
  });
});

async function restoreAll(): Promise<void> {
  const { items } = (await library.get('/trash')).body;
  for (const { batchId } of items) await library.post('/trash/restore', { batchId });
}

describe('The list of shortcuts', () => {
  it('names every key of the library', async () => {
    await openFolder();
    await page.keyboard.press('?');
    await dialog('Keyboard shortcuts').waitFor();
    const keys = await dialog('Keyboard shortcuts').locator('dd').allTextContents();
    for (const key of [
      '/',
      '?',
      'Esc',
      'Space',
      'Enter',
      'I',
      'M',
      'F2',
      'Delete⌫',
      'CtrlA',
      'CtrlZ',
      'D',
      'CtrlC',
      'ShiftF10',
    ])
      expect(keys).toContain(key);
    await page.keyboard.press('Escape');
    await waitForFocus('Bread');
  });
});

describe('Hints in menus', () => {
  const hints = (on: Page) =>
    on
      .getByRole('menuitem')
      .locator('kbd')
      .evaluateAll((all: any[]) =>
        all.filter((each) => each.getClientRects().length > 0).map((each) => each.getAttribute('data-keys')),
      );

  it('show the keys where there is a keyboard', async () => {
    await openFolder();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
    expect(await hints(page)).toEqual(['Enter', 'I', 'F2', 'M', 'D', 'Ctrl+C', 'Delete']);
    await page.keyboard.press('Escape');
    await waitForFocus('Bread');
  });

  it('are left out on a touch screen', async () => {
    const options = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const phone = await openAs(browser, service, OWNER, `/clients/${clientId}/assets`, options);
    await phone.getByRole('button', { name: /Actions for Autumn/ }).tap();
    await phone.getByRole('menuitem', { name: 'Rename' }).waitFor();
    expect(await hints(phone)).toEqual([]);
    await phone.context().close();
  });
});

describe('The focus', () => {
  it('returns to the picture after dialogs, menus and editing', async () => {
    await openFolder('Cake');
    for (const [keys, name] of [
      [['m'], /^Move/],
      [['?'], 'Keyboard shortcuts'],
    ] as const) {
      await press(...keys);
      await dialog(name).waitFor();
      await page.keyboard.press('Escape');
      await dialog(name).waitFor({ state: 'detached' });
      await waitForFocus('Cake');
    }
    await press('F2');
    await waitForFocus('Title');
    await press('Escape');
    await waitForFocus('Cake');
    await press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Move to…' }).press('Enter');
    await dialog(/^Move/).waitFor();
    await press('Escape');
    await waitForFocus('Cake');
  });

  it('returns to a text of the details after editing it, but not from where the user went next', async () => {
    await goTo(`/clients/${clientId}/assets?folder=${folderId}&sort=title`);
    await card('Bread').click({ position: { x: 90, y: 70 } });
    if (!(await details().isVisible())) await press('i');
    for (const [text, name] of [
      ['Title', 'Edit Title: Bread'],
      ['Description', /^Edit Description/],
    ] as const) {
      await details().getByRole('button', { name }).click();
      await waitForFocus(text);
      await press('Escape');
      await waitForFocus(name);
      await press('Enter');
      await waitForFocus(text);
      await page.keyboard.type('B');
      await details().getByLabel('Add a tag').click();
      await details()
        .getByRole('button', { name: `Edit ${text}: B` })
        .waitFor();
      await page.keyboard.type('rye');
      expect(await details().getByLabel('Add a tag').inputValue()).toBe('rye');
      await details().getByLabel('Add a tag').fill('');
    }
    await library.patch(
      `/${(await library.listAll('below=true')).find(({ title }) => title === 'B').assetId}`,
      {
        title: 'Bread',
      },
    );
  });

  it('goes to a neighbour when a picture leaves, and stays in the page when the last one does', async () => {
    const placeId = await library.folder('Short');
    await seedAssets(
      service.databaseUrl,
      clientId,
      ['One', 'Two'].map((title) => ({ title, folderId: placeId })),
    );
    await goTo(`/clients/${clientId}/assets?folder=${placeId}&sort=title`);
    await card('Two').waitFor();
    await press('Tab', 'Enter', 'ArrowRight');
    await waitForFocus('Two');
    // Ctrl+Z undoes the last action, also if the service is slower with the one before.
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/assets/bulk', (route) => held.then(() => route.continue()), { times: 1 });
    await press('Delete');
    await waitForFocus('One');
    await press('Delete');
    await card('One').waitFor({ state: 'detached' });
    await page.getByText('Moved to trash').waitFor();
    release();
    await eventually(async () => expect((await library.get(`?folderId=${placeId}`)).body.assets).toEqual([]));
    await page.getByText('This folder is empty').waitFor();
    await eventually(async () => expect(await focused()).not.toBe(''), 10_000);
    // Undo is there once the service has confirmed it.
    await eventually(async () => {
      await press('Control+z');
      await card('One').waitFor({ timeout: 500 });
    }, 10_000);
  });

  it('stays in the tree after renaming and deleting a folder', async () => {
    await library.folder('Before');
    await library.folder('Behind');
    await goTo(`/clients/${clientId}/assets`);
    await inTree(page, 'Before').focus();
    await press('F2');
    await page.getByRole('textbox', { name: 'Folder name' }).waitFor();
    await press('Escape');
    await waitForFocus(/Before/);
    await press('F2');
    await page.getByRole('textbox', { name: 'Folder name' }).waitFor();
    await page.keyboard.type('Before longer');
    // These keys edit the name; they must not delete the folder.
    await press('Backspace', 'Backspace', 'ArrowLeft', 'Delete');
    await page.keyboard.type('g');
    await press('Enter');
    await waitForFocus(/Before long/);
    await press('Delete');
    await inTree(page, 'Before long').waitFor({ state: 'detached' });
    await waitForFocus(/^(Folders|Behind|Library)/);
  });

  it('stays in the trash after restoring and after deleting for good', async () => {
    await seedAssets(
      service.databaseUrl,
      clientId,
      ['Old A', 'Old B', 'Old C'].map((title) => ({ title })),
    );
    for (const { assetId, title } of await library.listAll('below=true'))
      if (title.startsWith('Old')) await library.delete(`/${assetId}`);
    await goTo(`/clients/${clientId}/trash`);
    await page.getByRole('button', { name: 'Restore Old B' }).press('Enter');
    await page.getByRole('button', { name: 'Restore Old B' }).waitFor({ state: 'detached' });
    await eventually(async () => expect(await focused()).toMatch(/Old/), 10_000);
    await page.getByRole('button', { name: /^Delete Old A/ }).press('Enter');
    await page.getByRole('alertdialog', { name: /Delete/ }).waitFor();
    await press('Escape');
    await waitForFocus(/^Delete Old A/);
    await press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('button', { name: /Old A/ }).first().waitFor({ state: 'detached' });
    await eventually(async () => expect(await focused()).toMatch(/Old/), 10_000);
  });

  it('returns to the menu of a row after its dialog', async () => {
    const name = 'Nora Petrov';
    const nora = { email: 'nora@test.example', password: PASSWORD, name, role: 'viewer' };
    expect((await owner.post('/admin/users', nora)).status).toBe(201);
    await goTo('/users');
    const menu = `Actions for ${name}`;
    for (const item of ['Edit', 'Reset password', 'Deactivate']) {
      await page.getByRole('button', { name: menu }).press('Enter');
      await page.getByRole('menuitem', { name: item }).press('Enter');
      await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor();
      await press('Escape');
      await waitForFocus(menu);
    }
  });
});
