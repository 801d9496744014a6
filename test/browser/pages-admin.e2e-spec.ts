import type { Browser, Page } from 'playwright-core';
import type { Api } from '../support/api/api.js';
import { startBrowser } from '../support/browser/browser.js';
import { violationsInBothThemes } from '../support/browser/accessibility.js';
import { newClient, newPerson, type Person } from '../support/api/people.js';
import {
  type Account,
  failuresIn,
  openAs,
  openPage,
  returnPage,
  signInOn,
  startPages,
} from '../support/browser/pages.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { OWNER, type Service } from '../support/services/service.js';
import { FILES, uniqueJpeg, Uploader } from '../support/api/uploads.js';
import { WordPressMediaLibrary } from '../support/wordpress/wordpress-media.js';

/** The page's own. */
declare const document: any;
declare const NodeFilter: any;
declare const history: any;
declare const performance: any;

const WITHOUT_STORAGE = {
  STORAGE_ACCOUNT_ID: undefined,
  STORAGE_ACCESS_KEY_ID: undefined,
  STORAGE_SECRET_ACCESS_KEY: undefined,
  STORAGE_BUCKET_NAME: undefined,
  STORAGE_ENDPOINT: undefined,
  STORAGE_REGION: undefined,
  STORAGE_FORCE_PATH_STYLE: undefined,
};

/** Options of a page that no other test has used: for another origin, or where it counts what has been loaded before. */
const NEW = {};

let service: Service;
let owner: Api;
let browser: Browser;
let bakery: string;
let florist: string;
const opened: Page[] = [];

beforeAll(async () => {
  service = await startPages({ TARGETS_ALLOW_PRIVATE: 'true', WORKER: 'inline' });
  owner = await service.api.signIn(OWNER);
  bakery = await newClient(owner, 'Corner Bakery');
  florist = await newClient(owner, 'Green Florist');
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

async function pageOf(person: Account, path = '/'): Promise<Page> {
  const page = await openAs(browser, service, person, path);
  opened.push(page);
  return page;
}

async function emptyPage(): Promise<Page> {
  const page = await openPage(browser);
  opened.push(page);
  return page;
}

async function signedInWithForm(account: Account, path = '/'): Promise<Page> {
  const page = await emptyPage();
  await page.goto(service.url + path);
  await signInOn(page, account);
  return page;
}

/** Opens another of our pages without loading the document again. */
const goTo = (page: Page, path: string) => page.evaluate((to) => history.pushState(null, '', to), path);

const pathOf = (page: Page) => new URL(page.url()).pathname;
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

const dialogIn = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'));

async function choose(page: Page, menu: string | RegExp, item: string): Promise<void> {
  await button(page, menu).first().click();
  await page.getByRole('menuitem', { name: item }).click();
}

describe('Signing in', () => {
  it('returns to the requested page, and survives a reload', async () => {
    const page = await emptyPage();
    await page.goto(`${service.url}/clients/${bakery}/activity?kind=folders`);
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await button(page, 'Sign in').click();
    await page.getByRole('alert').getByText('The email address or password is wrong').waitFor();
    expect(await page.getByRole('alert').textContent()).not.toContain('Request ID');

    await signInOn(page, OWNER);
    await heading(page, 'Activity').waitFor();
    expect(page.url()).toBe(`${service.url}/clients/${bakery}/activity?kind=folders`);
    await page.reload();
    await heading(page, 'Activity').waitFor();
  });

  it('stays on its own origin, whatever the address says about where to go next', async () => {
    const ours = new URL(service.url).host;
    const signIn = (next: string) => `/sign-in?next=${encodeURIComponent(next)}`;
    const hostile = [
      'http://other.example/',
      ' http://other.example/',
      '\thttp://other.example/',
      '//other.example/',
      '/\\other.example/',
      '/.//other.example/',
      `//${ours}//other.example/`,
      'javascript:document.title="other"',
      signIn('http://other.example/'),
      signIn(signIn(' http://other.example/')),
    ].map(signIn);
    const person = await newPerson(owner, { role: 'operator' });
    const page = await emptyPage();
    const elsewhere: string[] = [];
    await page.route(/^https?:\/\/other\.example\//, (route) => {
      elsewhere.push(route.request().url());
      return route.fulfill({ body: 'another site' });
    });
    for (const [index, path] of hostile.entries()) {
      await page.goto(service.url + path);
      if (index === 0) await signInOn(page, person);
      await heading(page, 'Clients').waitFor();
      expect([path, new URL(page.url()).pathname]).toEqual([path, '/clients']);
    }
    expect(elsewhere).toEqual([]);
  });

  it('lands in the client switcher, in the only client, or in the portal', async () => {
    const switcher = await signedInWithForm(OWNER);
    await heading(switcher, 'Clients').waitFor();
    await switcher.getByRole('link', { name: 'Green Florist' }).click();
    await switcher.waitForURL(`**/clients/${florist}/assets`);

    const operator = await signedInWithForm(
      await newPerson(owner, { role: 'operator', clientIds: [bakery] }),
    );
    await operator.waitForURL(`**/clients/${bakery}/assets`);

    const portal = await signedInWithForm(
      await newPerson(owner, { role: 'client_manager', clientIds: [florist] }),
    );
    await portal.waitForURL('**/library');
  });

  it('does not show pages that the user has no access to', async () => {
    const portal = await signedInWithForm(
      await newPerson(owner, { role: 'client_viewer', clientIds: [florist] }),
    );
    await portal.waitForURL('**/library');
    const ofAdmins = [
      '/users',
      '/api-keys',
      '/diagnostics',
      '/clients',
      `/clients/${florist}/deliveries`,
      `/clients/${bakery}/assets`,
    ];
    for (const path of ofAdmins) {
      await portal.goto(`${service.url}${path}`);
      await portal.getByRole('heading', { name: 'Page not found' }).waitFor();
      expect(await portal.getByRole('heading').allTextContents()).toEqual(['Page not found']);
    }
    const viewer = await signedInWithForm(await newPerson(owner, { role: 'viewer' }), '/users');
    await viewer.getByRole('heading', { name: 'Page not found' }).waitFor();
    await viewer.goto(`${service.url}/library`);
    await viewer.getByRole('heading', { name: 'Page not found' }).waitFor();
  });

  it('shows why the user was signed out', async () => {
    const person = await newPerson(owner, { role: 'operator' });
    const page = await signedInWithForm(person, `/clients/${bakery}/activity`);
    await heading(page, 'Activity').waitFor();
    await owner.patch(`/admin/users/${person.userId}`, { isActive: false });
    await page.getByText('Your account has been deactivated').waitFor();
    expect(pathOf(page)).toBe('/sign-in');

    const tab = await signedInWithForm(OWNER);
    const other = await tab.context().newPage();
    await other.goto(service.url);
    await choose(other, /Account of/, 'Sign out');
    await tab.getByText('You signed out in another tab.').waitFor();
  });
});

describe('The pages for administrators', () => {
  it('create and rename clients', async () => {
    const page = await pageOf(OWNER);
    await button(page, 'New client').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Harbor Yoga');
    await dialog.getByLabel(/Client ID/).fill('harbor-yoga');
    await button(page, 'Create client').click();
    await page.waitForURL('**/clients/harbor-yoga/assets');
    await goTo(page, '/clients');
    await choose(page, 'Actions for Harbor Yoga', 'Rename');
    await dialog.getByLabel('Name').fill('Harbor Pilates');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('link', { name: 'Harbor Pilates' }).waitFor();

    await button(page, 'New client').click();
    await dialog.getByLabel('Name').fill('Another');
    await dialog.getByLabel(/Client ID/).fill('harbor-yoga');
    await button(page, 'Create client').click();
    const problem = dialog.getByRole('alert');
    await problem.getByText('A client with this id already exists').waitFor();
    expect(await problem.textContent()).not.toContain('Request ID');
  });

  it('invite, change and deactivate users', async () => {
    const page = await pageOf(OWNER, '/users');
    await button(page, 'Invite').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Nina Petrov');
    await dialog.getByLabel('Email').fill('nina@test.example');
    await button(page, /Role/).click();
    await page.getByRole('option', { name: /Client manager/ }).click();
    await dialog.getByRole('button', { name: /Client$/ }).click();
    await page.getByRole('option', { name: 'Green Florist' }).click();
    await button(page, 'Create invitation').click();
    const link = page.getByRole('dialog', { name: 'Nina Petrov is invited' }).getByLabel('Link');
    const first = await link.inputValue();
    await page.keyboard.press('Escape');
    await button(page, 'Done').click();
    const row = page.getByRole('row', { name: /Nina Petrov/ });
    await row.getByText('Green Florist').waitFor();
    await row.getByText('Link expires in 3 days').waitFor();

    await choose(page, 'Actions for Nina Petrov', 'New invitation link');
    await button(page, 'Create link').click();
    const second = await link.inputValue();
    await button(page, 'Done').click();
    const accept = (url: string) =>
      service.api.post('/auth/invitations/accept', {
        token: new URL(url).hash.slice(1),
        password: 'a-long-passphrase',
      });
    expect((await accept(first)).status).toBe(410);
    expect((await accept(second)).body.user).toMatchObject({ role: 'client_manager', clientIds: [florist] });
    await page.reload();
    await row.getByText('Active', { exact: true }).waitFor();
    await choose(page, 'Actions for Nina Petrov', 'Reset password');
    await page.getByRole('alertdialog').getByText('The current password works').waitFor();
    await button(page, 'Cancel').click();

    await choose(page, 'Actions for Nina Petrov', 'Deactivate');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click();
    await row.getByText('Deactivated').waitFor();
    await choose(page, 'Actions for Nina Petrov', 'Reactivate');
    await row.getByText('Active', { exact: true }).waitFor();
  });

  it('show an API key once', async () => {
    const page = await pageOf(OWNER, '/api-keys');
    await page.getByText('No API keys yet').waitFor();
    // The empty page offers it once.
    await button(page, 'New API key').click();
    await page.getByLabel('Name').fill('Social agent');
    await button(page, 'Create key').click();
    const field = page.getByLabel('API key', { exact: true });
    const key = await field.inputValue();
    expect(key).toMatch(/^cal_/);
    expect((await service.api.as(key).get('/auth/me')).body).toMatchObject({ role: 'agent' });

    await page.keyboard.press('Escape');
    expect(await field.inputValue()).toBe(key);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
    await button(page, 'Copy').click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    await button(page, 'Done').click();
    await page.getByRole('row', { name: /Social agent/ }).waitFor();
    expect(await page.content()).not.toContain(key);

    await choose(page, 'Actions for Social agent', 'Revoke');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    expect((await service.api.as(key).get('/auth/me')).status).toBe(401);
  });

  it('deliver an asset to a site and show that it arrived', async () => {
    const media = await WordPressMediaLibrary.start();
    const clientId = await newClient(owner, 'Delivering client');
    const target = media.site.target({ name: 'The blog' });
    expect((await owner.post(`/admin/clients/${clientId}/targets`, target)).status).toBe(201);
    await Uploader.admin(owner, clientId).upload(FILES.jpeg, { title: 'Storefront' });
    const page = await pageOf(OWNER, `/clients/${clientId}/assets`);
    const failure = {
      status: 400,
      contentType: 'application/problem+json',
      body: '{"code":"validation_failed"}',
    };
    await page.route('**/targets?*', (route) => route.fulfill(failure));
    await page.getByRole('row', { name: 'Storefront', exact: true }).click({ position: { x: 90, y: 70 } });
    const details = page.getByRole('complementary', { name: 'Details' });
    if (!(await details.isVisible())) await page.keyboard.press('i');
    await details.getByRole('button', { name: 'Deliver' }).click();
    const dialog = page.getByRole('dialog', { name: 'Deliver to a destination' });
    const tryAgain = dialog.getByRole('button', { name: 'Try again' });
    await tryAgain.waitFor();
    await page.unroute('**/targets?*');
    await tryAgain.click();
    await dialog.getByText('The blog').first().waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Deliver', exact: true }).click();
    await page
      .getByRole('alertdialog')
      .filter({ hasText: 'Delivery started' })
      .getByRole('button', { name: 'Show' })
      .click();
    await page
      .getByRole('row', { name: /Storefront/ })
      .getByText('Delivered')
      .waitFor();
    expect(media.attachments).toHaveLength(1);
    await media.site.stop();
  });

  it('show a target that has stopped working, and when a delivery is retried', async () => {
    const media = await WordPressMediaLibrary.start();
    const clientId = await newClient(owner, 'Client with trouble');
    const admin = `/admin/clients/${clientId}`;
    const { targetId } = (await owner.post(`${admin}/targets`, media.site.target({ name: 'The blog' }))).body;
    const uploader = Uploader.admin(owner, clientId);
    const deliver = async (title: string) => {
      const { assetRef } = await uploader.upload(uniqueJpeg(), { title });
      const request = { assetRef, targetId, surface: 'website' };
      expect((await owner.post(`${admin}/deliveries`, request)).status).toBe(202);
    };
    media.failUploads('type_refused');
    await deliver('Storefront');
    const page = await pageOf(OWNER, `/clients/${clientId}/deliveries`);
    const waiting = page.getByRole('row', { name: /Storefront/ });
    await waiting.getByText('Retrying in 1 min').waitFor();
    await waiting.getByText(/It will be retried automatically\.$/).waitFor();
    media.site.settings.role = 'subscriber';
    await deliver('Bread');
    const failed = page.getByRole('row', { name: /Bread/ });
    await failed.getByText(/such as Author.*It will not be retried automatically\.$/).waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);

    await page.goto(`${service.url}/clients/${clientId}/targets`);
    const target = page.getByRole('row', { name: /The blog/ });
    await target.getByText('Error').waitFor();
    await target.getByText(/^The destination does not allow the upload\./).waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);

    await page.goto(`${service.url}/clients/${clientId}/assets`);
    await page.getByRole('row', { name: 'Bread', exact: true }).click({ position: { x: 90, y: 70 } });
    const details = page.getByRole('complementary', { name: 'Details' });
    if (!(await details.isVisible())) await page.keyboard.press('i');
    await details.getByRole('button', { name: 'Deliver' }).click();
    const dialog = page.getByRole('dialog', { name: 'Deliver to a destination' });
    await dialog.getByText(/^Last check failed: The destination does not allow the upload\./).waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await dialog.getByRole('button', { name: 'Deliver', exact: true }).isEnabled()).toBe(true);
    await media.site.stop();
  });

  it('explain why a target does not work', async () => {
    const page = await pageOf(OWNER, `/clients/${bakery}/targets`);
    await page.getByText('No destinations yet').waitFor();
    await button(page, 'Add destination').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('bakery.example');
    await dialog.getByLabel('Site address').fill(service.url);
    await dialog.getByLabel('Username').fill('assets');
    await dialog.getByLabel('Application password').fill('abcd efgh ijkl');
    await button(page, 'Add and verify').click();
    const steps = page.getByRole('list', { name: 'Verification steps' });
    await steps.getByText('No WordPress REST API was found').waitFor();
    await steps.getByText('How to fix it:').waitFor();
    expect(await steps.getByRole('img', { name: 'Passed' }).count()).toBe(1);
    await button(page, 'Done').click();
    await page
      .getByRole('row', { name: /bakery.example/ })
      .getByText('Error')
      .waitFor();

    await choose(page, 'Actions for bakery.example', 'Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No destinations yet').waitFor();
  });

  it('run the storage doctor and show each step', async () => {
    const page = await pageOf(OWNER, '/diagnostics');
    await page.getByText('Temporary files').waitFor();
    await button(page, 'Run the check').click();
    await page.getByText('Upload a file', { exact: true }).waitFor();
    expect(await page.getByText('Not checked').count()).toBe(0);
    const failed = { step: 'write', ok: false, cause: 'The store said no.', fix: 'Ask it again.' };
    const steps = [{ step: 'settings', ok: true }, failed, { step: 'delete', ok: false, skipped: true }];
    await page.route('**/admin/diagnostics/storage', (route) =>
      route.fulfill({ json: { ok: false, steps } }),
    );
    await button(page, 'Run the check').click();
    const deleted = page.getByRole('listitem').filter({ hasText: 'Delete it' });
    await deleted.getByText('Not checked').waitFor();
    expect(await page.getByRole('img', { name: 'Failed' }).count()).toBe(1);
  });

  it('show a viewer no controls that change anything', async () => {
    const page = await pageOf(await newPerson(owner, { role: 'viewer' }), `/clients/${bakery}/targets`);
    await page.getByText('No destinations yet').waitFor();
    expect(await button(page, 'Add destination').count()).toBe(0);
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await page.getByText('No deliveries yet').waitFor();
    // Nothing to filter.
    expect(await button(page, 'Any status').count()).toBe(0);
    await goTo(page, '/clients');
    await heading(page, 'Clients').waitFor();
    await page.getByRole('link', { name: 'Corner Bakery' }).waitFor();
    expect(await button(page, /New client|Actions for/).count()).toBe(0);
    expect(await page.getByRole('link', { name: /Users|API keys/ }).count()).toBe(0);
    const forced = await page.evaluate(async (path) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(path, {
        method: 'POST',
        headers,
        body: JSON.stringify({ name: 'Forced' }),
      });
      return [response.status, ((await response.json()) as { code: string }).code];
    }, '/admin/clients');
    expect(forced).toEqual([403, 'permission_denied']);
  });
});

describe('On a phone', () => {
  it('a menu opened while it is still loading stays open', async () => {
    const page = await pageOf(await newPerson(owner, { role: 'operator', clientIds: [bakery] }));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.route(/AppDrawer-.*\.js$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await route.continue();
    });
    await page.reload();
    await button(page, 'Open menu').click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await menu.getByRole('link', { name: 'Deliveries' }).waitFor();
    await page.waitForTimeout(500);
    await menu.getByRole('link', { name: 'Deliveries' }).click();
    await heading(page, 'Deliveries').waitFor();
    await menu.waitFor({ state: 'detached' });
  });
});

describe('Without storage', () => {
  it('the pages name the missing settings, and everything else works', async () => {
    const without = await service.another({ ...WITHOUT_STORAGE, WORKER: 'off' });
    try {
      const page = await openAs(browser, without, OWNER, '/clients', NEW);
      const banner = page.getByRole('status').filter({ hasText: 'Storage is not configured.' });
      await banner.waitFor();
      expect(await banner.textContent()).toMatch(/STORAGE_BUCKET_NAME.*restart the server/);
      await page.getByRole('link', { name: 'Corner Bakery' }).waitFor();
      await banner.getByRole('link', { name: 'Check storage' }).click();
      await button(page, 'Run the check').click();
      await page.getByText('Storage is not working yet.').waitFor();
      await page.getByText('How to fix it:').waitFor();
      expect(failuresIn(page)).toEqual([]);
      await page.context().close();
    } finally {
      await without.stop();
    }
  });
});

describe('Accessibility', () => {
  let person: Person;
  let page: Page;
  beforeAll(async () => {
    person = await newPerson(owner, { role: 'owner' });
    page = await openPage(browser);
    await page.goto(`${service.url}/sign-in`);
    expect(await violationsInBothThemes(page)).toEqual([]);
    await signInOn(page, person);
  });
  afterAll(() => page && returnPage(page));

  /** Each with what opens its dialogs. */
  const PAGES: [path: string, name: string, openers: ((page: Page) => Promise<unknown>)[]][] = [
    ['/clients', 'Clients', [(on) => button(on, 'New client').click()]],
    [
      '/users',
      'Users',
      [
        (on) => button(on, 'Invite').click(),
        (on) => choose(on, 'Actions for Olivia Baker', 'Edit'),
        (on) => choose(on, 'Actions for Olivia Baker', 'Deactivate'),
      ],
    ],
    ['/api-keys', 'API keys', [(on) => button(on, 'New API key').first().click()]],
    ['/diagnostics', 'System', []],
    ['/clients/BAKERY/targets', 'Destinations', [(on) => button(on, 'Add destination').first().click()]],
    ['/clients/BAKERY/deliveries', 'Deliveries', []],
    [
      '/clients/BAKERY/activity',
      'Activity',
      [
        (on) =>
          button(on, /Details of/)
            .first()
            .click(),
      ],
    ],
    [
      '/clients/BAKERY/diagnostics',
      'Diagnostics',
      [
        (on) => button(on, 'Add integration').click(),
        async (on) => {
          await on.locator('summary', { hasText: 'Attribution' }).click();
          await button(on, 'Add landing page').click();
        },
      ],
    ],
  ];

  it.each(PAGES)('%s has no serious accessibility violation', async (path, name, openers) => {
    await goTo(page, path.replace('BAKERY', bakery));
    await heading(page, name).waitFor();
    await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
    const found = await violationsInBothThemes(page);
    for (const open of openers) {
      await open(page);
      await dialogIn(page).waitFor();
      found.push(...(await violationsInBothThemes(page)));
      await page.keyboard.press('Escape');
      await dialogIn(page).waitFor({ state: 'detached' });
    }
    expect(found).toEqual([]);
  });

  it('the shell has no serious accessibility violation', async () => {
    await goTo(page, '/clients');
    await heading(page, 'Clients').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    const found = await violationsInBothThemes(page);
    await page.keyboard.press('Escape');
    await choose(page, /Account of/, 'Your profile');
    await page.getByText('This device').waitFor();
    found.push(...(await violationsInBothThemes(page)));
    await goTo(page, '/no-such-page');
    await page.getByText('Page not found').waitFor();
    await dialogIn(page).waitFor({ state: 'detached' });
    found.push(...(await violationsInBothThemes(page)));
    await page.setViewportSize({ width: 360, height: 740 });
    await goTo(page, '/users');
    await heading(page, 'Users').waitFor();
    found.push(...(await violationsInBothThemes(page)));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await button(page, 'Open menu').click();
    await page.getByRole('dialog', { name: 'Menu' }).waitFor();
    found.push(...(await violationsInBothThemes(page)));
    await page.setViewportSize({ width: 1280, height: 720 });
    expect(found).toEqual([]);
  });
});

/** The bytes of scripts and styles that the page has loaded, and the bytes including font and document. */
async function loadedBytes(page: Page): Promise<{ code: number; all: number }> {
  return page.evaluate(() => {
    const sum = { code: 0, all: 0 };
    const entries = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type));
    for (const { name, encodedBodySize, entryType } of entries) {
      const isCode = /\.(js|css)$/.test(name);
      if (isCode) sum.code += encodedBodySize;
      if (isCode || entryType === 'navigation' || /\.woff2$/.test(name)) sum.all += encodedBodySize;
    }
    return sum;
  });
}

describe('The admin pages', () => {
  it('take all texts from the catalogue', async () => {
    const page = await emptyPage();
    await page.goto(`${service.url}/sign-in?locale=pseudo`);
    await page.getByRole('heading').waitFor();
    const texts: string[] = await page.evaluate(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found = [];
      while (walker.nextNode()) found.push(walker.currentNode.textContent.trim());
      return found.filter(Boolean);
    });
    expect(texts.length).toBeGreaterThan(4);
    expect(texts.filter((text) => !/^\[.*\]$/.test(text))).toEqual([]);
  });

  it('load little for the sign-in page, and preload the library while the user types', async () => {
    const page = await openPage(browser, NEW);
    opened.push(page);
    await page.goto(`${service.url}/sign-in`);
    await page.getByLabel('Email').waitFor();
    await page.waitForLoadState('networkidle');
    const { code } = await loadedBytes(page);
    expect(code).toBeGreaterThan(50_000);
    expect(code).toBeLessThan(112_000);
    await page.getByLabel('Email').fill('a');
    await page.waitForFunction(() =>
      performance
        .getEntriesByType('resource')
        .some(({ name }: { name: string }) => /library-.*\.js$/.test(name)),
    );
  });

  it('load little for the first page of the library', async () => {
    const clientId = await newClient(owner);
    await seedAssets(service.databaseUrl, clientId, [{ title: 'Bread' }]);
    const viewer = await newPerson(owner, { role: 'client_viewer', clientIds: [clientId] });
    const page = await openAs(browser, service, viewer, '/library', NEW);
    opened.push(page);
    await page.getByRole('row', { name: 'Bread' }).waitFor();
    const { code, all } = await loadedBytes(page);
    expect(code).toBeGreaterThan(50_000);
    expect(code).toBeLessThan(200_000);
    expect(all).toBeGreaterThan(code + 40_000);
    expect(all).toBeLessThan(250_000);
  });
});
