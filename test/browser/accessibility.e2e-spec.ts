import type { Browser, Page } from 'playwright-core';
import { expectAccessible, violationsInBothThemes } from '../support/browser/accessibility.js';
import type { Api } from '../support/api/api.js';
import { startBrowser } from '../support/browser/browser.js';
import { Library } from '../support/api/library.js';
import { type Account, inTree, openAs, openPage, setNetwork, startPages } from '../support/browser/pages.js';
import { type Panel, startPanel } from '../support/browser/panel.js';
import { newClient, newKey, newPerson, type Person } from '../support/api/people.js';
import { sampleCases } from '../support/jest/sample-cases.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { seedDelivery, seedTarget } from '../support/database/seed-deliveries.js';
import { OWNER, type Service } from '../support/services/service.js';
import { FILES, uniqueJpeg, Uploader } from '../support/api/uploads.js';

/** The page's own. */
declare const document: any;
declare const history: any;

/** What is checked, with what opens it. Pages and dialogs that have specs of their own are checked there. */
type Opened = Record<string, () => Promise<unknown>>;

const LEVELS = ['Autumn', 'Shop window', 'Leaves', 'Close-ups', 'Selected for print'];

let panel: Panel;
let service: Service;
let owner: Api;
let browser: Browser;
let clientId: string;
let manager: Person;
let deepest: string;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  service = await startPages({ WORKER: 'inline', EMBED_ORIGINS: panel.url });
  owner = await service.api.signIn(OWNER);
  browser = await startBrowser();
  clientId = await newClient(owner, 'Corner Bakery');
  manager = await newPerson(owner, { role: 'client_manager', clientIds: [clientId] });
  const library = new Library(owner, `/admin/clients/${clientId}/assets`);
  const ids: string[] = [];
  for (const name of LEVELS) ids.push(await library.folder(name, ids.at(-1) ?? null));
  deepest = ids.at(-1)!;
  await library.folder('Empty');
  const uploader = Uploader.admin(owner, clientId);
  const { assetId } = await uploader.upload(uniqueJpeg(), { title: 'Bread', tags: ['autumn'] });
  await uploader.upload(FILES.mp4, { title: 'Steam' });
  await seedAssets(service.databaseUrl, clientId, [
    { title: 'Cake' },
    { title: 'Print', folderId: deepest },
    { title: 'Mistake' },
  ]);
  const [mistake] = (await library.get('?q=mistake')).body.assets;
  await library.delete(`/${mistake.assetId}`);
  await library.delete('/folders', { folderId: await library.folder('Rejected') });
  const landingPage = { name: 'Bread', slug: 'bread', url: 'https://bakery.example/bread' };
  await owner.post(`/admin/clients/${clientId}/landing-pages`, landingPage);
  await newKey(owner, { role: 'operator', clientIds: [clientId], surfaces: ['website'] });
  const targetId = await seedTarget(service.databaseUrl, clientId);
  for (const status of ['failed', 'delivered'] as const)
    await seedDelivery(service.databaseUrl, { clientId, targetId, assetId, status });
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  panel?.stop();
});

const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
const press = (name: string | RegExp) => button(name).click();
const item = (name: string) => page.getByRole('menuitem', { name }).click();
const card = (title: string) => page.getByRole('row', { name: title, exact: true });
/** Neither the middle of a card nor its check mark. */
const ON_CARD = { position: { x: 90, y: 70 } };
const menu = () => page.getByRole('menu').waitFor();
const list = () => page.getByRole('listbox').waitFor();
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name }).waitFor();
const shown = (text: string) => page.getByText(text).waitFor();
const question = (name: string | RegExp) => page.getByRole('alertdialog', { name }).waitFor();
const choose = async (from: string | RegExp, name: string) => {
  await press(from);
  await item(name);
};

/** Shows another of our pages without loading the document again. */
async function goTo(path: string): Promise<void> {
  for (let open = 0; open < 3; open++) await page.keyboard.press('Escape');
  await page.evaluate((to) => history.pushState(null, '', to), path);
}
const loaded = () => page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));

/** With the path of the library and that of its other pages. */
const SIDES: [who: string, account: () => Account, library: () => string, base: () => string][] = [
  ['an operator', () => OWNER, () => `/clients/${clientId}/assets`, () => `/clients/${clientId}`],
  ['a client', () => manager, () => '/library', () => '/library'],
];

describe.each(SIDES)('The library of %s', (_who, account, library, base) => {
  const path = (query = '') => library() + query;
  beforeAll(async () => {
    page = await openAs(browser, service, account(), path());
    page.setDefaultTimeout(10_000);
    await card('Bread').waitFor();
  });
  afterAll(() => page?.context().close());

  const opened: Opened = {
    'folders and assets': () => page.getByRole('list', { name: 'Folders' }).waitFor(),
    async 'a tooltip'() {
      await button('Show as list').focus();
      await page.getByRole('tooltip').waitFor();
    },
    'the sorting': () => press(/^Sort by/).then(menu),
    'the ways to upload': () => press('More ways to upload').then(menu),
    'the themes': () => press('Theme').then(menu),
    'the account': () => press(/^Account of/).then(menu),
    'the shortcuts': () => page.keyboard.press('?').then(() => dialog('Keyboard shortcuts')),
    'the profile': () => choose(/^Account of/, 'Your profile').then(() => shown('This device')),
    async 'the filters'() {
      await press('Filters');
      await press(/^Any Where/).then(list);
    },
    async 'the menu of an asset'() {
      await card('Bread').click({ ...ON_CARD, button: 'right' });
      await menu();
    },
    'the menu of a folder': () => inTree(page, 'Autumn').click({ button: 'right' }).then(menu),
    'the menu of a protected folder': () => press('Actions for Social').then(menu),
    async 'the name of a folder'() {
      await inTree(page, 'Autumn').press('F2');
      await page.getByRole('textbox', { name: 'Folder name' }).waitFor();
    },
    async 'the title of an asset'() {
      await card('Bread').click(ON_CARD);
      await page.keyboard.press('F2');
      await page.getByRole('textbox', { name: 'Title' }).waitFor();
    },
    async 'several assets'() {
      await card('Bread').click(ON_CARD);
      await page.keyboard.press('Control+a');
      await page.keyboard.press('i');
      await shown('3 assets selected');
    },
    async 'one asset'() {
      await card('Bread').click(ON_CARD);
      await page.getByRole('complementary').getByRole('heading', { name: 'Alt text' }).waitFor();
    },
    async 'an opened picture'() {
      await card('Bread').press('Enter');
      await dialog('Bread');
    },
    'missing alt texts': () => press('Add alt text').then(() => dialog('Add missing alt text')),
    async 'a list'() {
      await page.keyboard.press('i');
      await press('Show as list');
      await button('Show as grid').waitFor();
    },
    async 'a toast'() {
      await inTree(page, 'Social').press('F2');
      await shown('Social cannot be changed');
    },
    'an empty folder': () =>
      inTree(page, 'Empty')
        .click()
        .then(() => shown('This folder is empty')),
    async 'the folders above'() {
      await goTo(path(`?folder=${deepest}`));
      await press('More folders').then(menu);
    },
    'no results': () => goTo(path('?q=nothing')).then(() => shown('No assets match')),
    async 'the trash'() {
      await goTo(`${base()}/trash`);
      await button('Restore Rejected').waitFor();
    },
    async 'deleting permanently'() {
      await goTo(`${base()}/trash`);
      await press(/^Delete Rejected/);
      await question('Delete permanently?');
    },
    'an unknown page': () => goTo(`${base()}/nowhere`).then(() => shown('Page not found')),
  };

  it.each(sampleCases(Object.entries(opened), 8))('is accessible: %s', async (_what, open) => {
    await goTo(path());
    await open();
    await expectAccessible(page);
  });

  it('is accessible: an upload', async () => {
    await goTo(path(`?folder=${deepest}`));
    await setNetwork(page, { bytesPerSecond: 5_000 });
    const chooser = page.waitForEvent('filechooser');
    await press('Upload');
    const { name, mimeType } = FILES.jpeg;
    await (await chooser).setFiles([{ name, mimeType, buffer: uniqueJpeg(FILES.jpeg.bytes).bytes }]);
    await page.getByRole('region', { name: 'Uploads' }).getByText('Uploading 1 file').waitFor();
    await expectAccessible(page);
  });
});

describe('The pages of an operator', () => {
  beforeAll(async () => {
    page = await openAs(browser, service, OWNER, '/clients');
    page.setDefaultTimeout(10_000);
  });
  afterAll(() => page?.context().close());

  const target = /^Actions for Endpoint/;
  const pages: [path: string, title: string, opened: Opened][] = [
    [
      '/clients',
      'Clients',
      {
        'a menu': () => press('Actions for Corner Bakery').then(menu),
        renaming: () => choose('Actions for Corner Bakery', 'Rename').then(() => dialog('Rename client')),
      },
    ],
    [
      '/users',
      'Users',
      {
        'a menu': () => press('Actions for Olivia Baker').then(menu),
        'a password': () =>
          choose('Actions for Olivia Baker', 'Reset password').then(() => question(/^Reset/)),
        async 'the roles'() {
          await press('Invite');
          await press(/Role$/).then(list);
        },
      },
    ],
    [
      '/api-keys',
      'API keys',
      {
        'a menu': () => press('Actions for Test key').then(menu),
        revoking: () => choose('Actions for Test key', 'Revoke').then(() => question(/^Revoke/)),
        async 'a new key'() {
          await press('New API key');
          await page.getByLabel('Name').fill('Agent');
          await press('Create key');
          await page.getByLabel('API key', { exact: true }).waitFor();
        },
      },
    ],
    [
      '/diagnostics',
      'System',
      {
        async 'the storage'() {
          await press('Run the check');
          await page.getByText('Upload a file', { exact: true }).waitFor();
        },
      },
    ],
    [
      '/clients/CLIENT/targets',
      'Destinations',
      {
        'a menu': () => press(target).then(menu),
        editing: () => choose(target, 'Edit').then(() => dialog(/^Edit/)),
        deleting: () => choose(target, 'Delete').then(() => question(/^Delete/)),
        async 'the types'() {
          await press('Add destination');
          await press(/Type$/).then(list);
        },
      },
    ],
    [
      '/clients/CLIENT/deliveries',
      'Deliveries',
      {
        'a menu': () => press('Actions for this delivery').then(menu),
        'the statuses': () => press(/^Any status/).then(list),
        async 'no results'() {
          await goTo(`/clients/${clientId}/deliveries?status=cancelled`);
          await shown('No deliveries match');
        },
      },
    ],
    ['/clients/CLIENT/activity', 'Activity', { 'the types': () => press(/^All activity/).then(list) }],
    ['/activity', 'All activity', {}],
    [
      '/clients/CLIENT/diagnostics',
      'Diagnostics',
      {
        async 'a visit'() {
          await page.locator('summary', { hasText: 'Attribution' }).click();
          await press(/^Test$/);
          await page.getByLabel('Link the visitor follows').fill('https://bakery.example/bread?gclid=abc');
          await page.getByRole('dialog').getByRole('button', { name: 'Test' }).click();
          await shown('Paid search');
        },
      },
    ],
    ['/clients/CLIENT/trash', 'Trash', { 'the clients': () => press(/switch client$/).then(menu) }],
  ];

  it.each(pages)('are accessible: %s', async (path, title, opened) => {
    const found: Record<string, string[]> = {};
    for (const [what, open] of [
      ['the page', loaded] as const,
      ...sampleCases(Object.entries(opened ?? {}), 2),
    ]) {
      await goTo('/nowhere');
      await goTo(path.replace('CLIENT', clientId));
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      await open();
      const violations = await violationsInBothThemes(page);
      if (violations.length > 0) found[what] = violations;
      // Escape does not close what shows the key.
      if (what === 'a new key') await press('Done');
    }
    expect(found).toEqual({});
  });
});

describe('On a phone', () => {
  beforeAll(async () => {
    const viewport = { width: 390, height: 844 };
    page = await openAs(browser, service, manager, '/', { viewport, isMobile: true, hasTouch: true });
    page.setDefaultTimeout(10_000);
    await card('Bread').waitFor();
  });
  afterAll(() => page?.context().close());

  const opened: Opened = {
    'the library': () => card('Cake').waitFor(),
    'the menu': () => press('Open menu').then(() => dialog('Menu')),
    more: () => press('More').then(menu),
    'the details': async () => {
      await press('Select');
      await card('Cake').click();
      await press('Details');
      await dialog('Details');
    },
    'the filters': () => press('Filters').then(() => dialog('Filters')),
    'the ways to upload': () => press('Upload').then(menu),
  };

  it.each(sampleCases(Object.entries(opened), 3))('is accessible: %s', async (_what, open) => {
    await goTo('/library');
    await open();
    await expectAccessible(page);
  });
});

describe('The picker', () => {
  afterAll(() => page?.context().close());

  it('is accessible: clients, folders, search, and what it says outside of a frame', async () => {
    page = await openPage(browser, { viewport: { width: 900, height: 640 } });
    await page.goto(panel.url);
    await page.evaluate((src) => {
      document.body.append(Object.assign(document.createElement('iframe'), { src, width: 800, height: 600 }));
    }, `${service.url}/embed/picker?surface=website`);
    const frame = page.frames().at(-1)!;
    await frame.getByLabel('Email').fill(OWNER.email);
    await frame.getByLabel('Password', { exact: true }).fill(OWNER.password);
    await newClient(owner, 'Green Florist');
    await frame.getByRole('button', { name: 'Sign in' }).click();
    await frame.getByRole('heading', { name: 'Choose a client' }).waitFor();
    await expectAccessible(page, frame);
    await frame.getByRole('button', { name: 'Corner Bakery' }).click();
    for (const name of LEVELS) await frame.getByRole('button', { name, exact: true }).click();
    await frame.getByRole('button', { name: 'More folders' }).click();
    await frame.getByRole('menu').waitFor();
    await expectAccessible(page, frame);
    await page.keyboard.press('Escape');
    await frame.getByRole('option', { name: 'Print' }).click();
    await expectAccessible(page, frame);
    await frame.getByRole('searchbox').fill('nothing');
    await frame.getByText('Nothing found').waitFor();
    await expectAccessible(page, frame);

    await page.goto(`${service.url}/embed/picker`);
    await page.getByText('This page must be embedded').waitFor();
    await expectAccessible(page);
  });
});

describe('Swagger UI', () => {
  it('is accessible: collapsed, an operation, its response, and the sign-in', async () => {
    page = await openPage(browser, { viewport: { width: 1280, height: 800 } });
    await page.goto(`${service.url}/docs`);
    await press('Assets');
    const operation = page.locator('[id="operations-Assets-listAssets"]');
    await operation.waitFor();
    await expectAccessible(page);
    await operation.getByRole('button', { expanded: false }).first().click();
    await press('Try it out');
    await page.getByRole('textbox', { name: 'clientId' }).fill(clientId);
    await press('Execute');
    await page.locator('.live-responses-table').getByText('401').first().waitFor();
    await expectAccessible(page);
    await press('Authorize');
    await page.getByLabel('Email').waitFor();
    await expectAccessible(page);
    await page.context().close();
  });
});
