import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { Api } from '../support/api/api.js';
import { expectAccessible } from '../support/browser/accessibility.js';
import { startBrowser } from '../support/browser/browser.js';
import { eventually } from '../support/eventually.js';
import { openAs, openPage, startPages } from '../support/browser/pages.js';
import { newClient, newPerson } from '../support/api/people.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { OWNER, type Service } from '../support/services/service.js';
import { uniqueJpeg, Uploader } from '../support/api/uploads.js';

let service: Service;
let owner: Api;
let browser: Browser;

beforeAll(async () => {
  service = await startPages({ WORKER: 'inline' });
  owner = await service.api.signIn(OWNER);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('Empty fields', () => {
  it.each([
    ['/clients', 'New client', 'Create client', ['Enter the client’s name']],
    ['/users', 'Invite', 'Create invitation', ['Enter the person’s name', 'Enter an email address']],
    ['/clients/CLIENT/assets', 'New folder', 'Create', ['Enter a name for the folder']],
    [
      '/clients/CLIENT/targets',
      'Add destination',
      'Add and verify',
      [
        'Enter a name for the destination',
        'Enter the address of the site',
        'Enter the username',
        'Enter the application password',
      ],
    ],
  ])('of %s, %s, each say what to enter', async (path, opener, submit, messages) => {
    const page = await openAs(browser, service, OWNER, path.replace('CLIENT', await newClient(owner)));
    await button(page, opener).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: submit, exact: true }).click();
    for (const message of messages) await dialog.getByText(message, { exact: true }).waitFor();
    expect(await dialog.getByText(/fill (in|out) this field/).count()).toBe(0);
    await expectAccessible(page);
    await page.close();
  });

  it('are named in the sign-in form', async () => {
    const page = await openPage(browser);
    await page.goto(`${service.url}/sign-in`);
    await button(page, 'Sign in').click();
    const messageOf = (label: string) =>
      page.getByLabel(label, { exact: true }).evaluate((input: any) => input.validationMessage as string);
    expect(await messageOf('Email')).toBe('Enter your email address');
    expect(await messageOf('Password')).toBe('Enter your password');
    await page.getByLabel('Email').fill('owner');
    expect(await messageOf('Email')).toContain('@');
    await page.getByLabel('Email').fill('owner@example.com');
    expect(await messageOf('Email')).toBe('');
    await page.close();
  });
});

describe('Request IDs', () => {
  it('are shown for errors of the server, not for those that people can correct', async () => {
    const page = await openPage(browser);
    await page.goto(`${service.url}/sign-in`);
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await button(page, 'Sign in').click();
    const alert = page.getByRole('alert');
    await alert.getByText('The email address or password is wrong').waitFor();
    expect(await alert.textContent()).not.toContain('Request ID');

    const contentType = 'application/problem+json';
    const json = { code: 'internal_error', title: 'Something went wrong', requestId: 'request-4711' };
    await page.route('**/auth/login', (route) => route.fulfill({ status: 500, contentType, json }));
    await button(page, 'Sign in').click();
    await alert.getByText('Request ID request-4711').waitFor();
    await page.close();
  });
});

describe('Where assets may be used', () => {
  it('is Any in the filters until a place is chosen', async () => {
    const clientId = await newClient(owner);
    const uploader = Uploader.admin(owner, clientId);
    await uploader.upload(uniqueJpeg(), { title: 'Everywhere' });
    await uploader.upload(uniqueJpeg(), { title: 'Not on the website', allowedSurfaces: ['social'] });
    const page = await openAs(browser, service, OWNER, `/clients/${clientId}/assets`);
    await button(page, 'Filters').click();
    await page.getByRole('button', { name: 'Any Where it may be used' }).click();
    await page.getByRole('option', { name: 'Website' }).click();
    await page.getByText('1 result in the whole library').waitFor();
    expect(await page.getByRole('row', { name: 'Not on the website' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Website Where it may be used' }).waitFor();
    await page.close();
  });
});

describe('Where several assets may be used', () => {
  it('is unknown until all are loaded, and can be switched on and off for all', async () => {
    const clientId = await newClient(owner);
    const assets = Array.from({ length: 1_200 }, (_, index) => ({
      allowedSurfaces: index % 2 ? ['social'] : ['social', 'gbp'],
    }));
    await seedAssets(service.databaseUrl, clientId, assets);
    const allowedOn = async (surface: string) =>
      (await owner.get(`/admin/clients/${clientId}/assets?surface=${surface}`)).body.total;
    const page = await openAs(browser, service, OWNER, `/clients/${clientId}/assets`);
    const details = page.getByRole('complementary', { name: 'Details' });
    await page
      .getByRole('row', { name: 'Untitled' })
      .first()
      .click({ position: { x: 90, y: 70 } });
    await page.keyboard.press('Control+a');
    await page.keyboard.press('i');
    await details.getByText('1,200 assets selected').waitFor();
    await details.getByText('Not all of the selected assets are loaded, so some may differ.').waitFor();
    const places = details.getByRole('group', { name: 'Where it may be used' });
    const isPressed = (name: string, state: string) =>
      places.getByRole('button', { name, exact: true }).and(page.locator(`[aria-pressed=${state}]`));
    for (const name of ['Website', 'Social media', 'Business Profile'])
      await isPressed(name, 'mixed').waitFor();

    await page.route('**/assets?*limit=200*', (route) => route.abort());
    await isPressed('Website', 'mixed').click();
    await page.getByText('The change was not saved').waitFor();
    await page.unroute('**/assets?*limit=200*');
    await isPressed('Website', 'mixed').click();
    await page.getByText('1,200 assets changed').waitFor();
    expect(await allowedOn('website')).toBe(1_200);
    await isPressed('Business Profile', 'mixed').click();
    await page.getByText('600 assets changed').waitFor();
    await isPressed('Social media', 'mixed').click();
    await details.getByText('Everywhere', { exact: true }).waitFor();

    await isPressed('Website', 'true').click();
    await details.getByText('Only on: Social media and Business Profile', { exact: true }).waitFor();
    await eventually(async () => expect(await allowedOn('website')).toBe(0), 10_000);
    await page.close();
  });
});

describe('Edits that are faster than the service', () => {
  it('of several assets build on each other', async () => {
    const clientId = await newClient(owner);
    await seedAssets(service.databaseUrl, clientId, [{ title: 'Bread' }, { title: 'Cake' }]);
    const page = await openAs(browser, service, OWNER, `/clients/${clientId}/assets`);
    const details = page.getByRole('complementary', { name: 'Details' });
    await page.getByRole('row', { name: 'Bread' }).click({ position: { x: 90, y: 70 } });
    await page.keyboard.press('Control+a');
    await page.keyboard.press('i');
    let running = 0;
    let saved = 0;
    await page.route('**/assets/bulk', async (route) => {
      // The first one is the slowest.
      if (running++ === 0) await setTimeout(1_000);
      await route.fulfill({ response: await route.fetch() });
      saved++;
    });
    await details.getByRole('button', { name: 'Social media', exact: true }).click();
    await details.getByRole('button', { name: 'Business Profile', exact: true }).click();
    await eventually(() => Promise.resolve(expect(saved).toBe(2)), 10_000);
    const { assets } = (await owner.get(`/admin/clients/${clientId}/assets`)).body;
    expect(assets.map(({ allowedSurfaces }: any) => allowedSurfaces)).toEqual([['website'], ['website']]);
    await details.getByText('Only on: Website', { exact: true }).waitFor();
    await page.close();
  });

  it('are all shown at once and all saved', async () => {
    const clientId = await newClient(owner);
    const { assetId } = await Uploader.admin(owner, clientId).upload(uniqueJpeg(), { title: 'Bread' });
    const path = `/admin/clients/${clientId}/assets/${assetId}`;
    const page = await openAs(browser, service, OWNER, `/clients/${clientId}/assets?details=${assetId}`);
    const details = page.getByRole('complementary', { name: 'Details' });
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(`**${path}`, (route) => held.then(() => route.continue()));
    await details.getByRole('button', { name: 'Social media', exact: true }).click();
    await details.getByRole('button', { name: 'Business Profile', exact: true }).click();
    await details.getByText('Only on: Website', { exact: true }).waitFor();
    const field = details.getByRole('combobox', { name: 'Add a tag' });
    for (const tag of ['fresh', 'rye']) {
      await field.fill(tag);
      await field.press('Enter');
      await details.getByRole('button', { name: `Remove tag ${tag}` }).waitFor();
    }
    release();
    await eventually(async () => {
      const { tags, allowedSurfaces } = (await owner.get(path)).body;
      expect({ tags, allowedSurfaces }).toEqual({ tags: ['fresh', 'rye'], allowedSurfaces: ['website'] });
    }, 5_000);
    await details.getByText('Only on: Website', { exact: true }).waitFor();
    await page.close();
  });
});

describe('The portal', () => {
  it.each([
    ['desktop', { width: 1280, height: 800 }],
    ['phone', { width: 390, height: 844 }],
  ])('names its client in the header and in the title, on a %s', async (_, viewport) => {
    const clientId = await newClient(owner, 'Harbor Yoga');
    const person = await newPerson(owner, { role: 'client_manager', clientIds: [clientId] });
    const page = await openAs(browser, service, person, '/', { viewport });
    await page.getByRole('banner').getByText('Harbor Yoga', { exact: true }).waitFor();
    expect(await page.title()).toBe('Harbor Yoga · Asset Library');
    await page.close();
  });
});

describe('Missing alt text', () => {
  it('is one line above the pictures, which leads to filling it in', async () => {
    const clientId = await newClient(owner);
    const uploader = Uploader.admin(owner, clientId);
    for (const title of ['Bread', 'Cake']) await uploader.upload(uniqueJpeg(), { title });
    await uploader.upload(uniqueJpeg(), { title: 'Shop', altText: 'The shop in the morning' });
    const page = await openAs(browser, service, OWNER, `/clients/${clientId}/assets`);
    await page.getByText('2 assets have no alt text').waitFor();
    const grid = page.getByRole('grid', { name: 'Assets' });
    await grid.getByRole('row', { name: 'Cake' }).waitFor();
    expect(await grid.getByRole('img', { name: /alt text/i }).count()).toBe(0);
    await expectAccessible(page);

    await button(page, 'Add alt text').click();
    const dialog = page.getByRole('dialog', { name: 'Add missing alt text' });
    for (const left of ['1 asset has no alt text', '']) {
      await dialog.getByLabel('Alt text').fill('Fresh from the oven');
      await dialog.getByRole('button', { name: 'Save and next' }).click();
      if (left) await page.getByText(left).waitFor({ state: 'attached' });
    }
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText(/no alt text/).waitFor({ state: 'detached' });
    await page.close();
  });
});

describe('Missing alt text of many assets', () => {
  it('is not said to be known before all are loaded', async () => {
    const clientId = await newClient(owner);
    const assets = Array.from({ length: 157 }, (_, index) => ({
      title: `Picture ${index + 1}`,
      altText: index < 57 ? '' : 'A loaf',
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
    }));
    await seedAssets(service.databaseUrl, clientId, assets);
    const page = await openAs(browser, service, OWNER, `/clients/${clientId}/assets?sort=oldest`);
    await page.getByText('At least 57 assets have no alt text').waitFor();

    await page.goto(`${service.url}/clients/${clientId}/assets`);
    await page.getByRole('row', { name: 'Picture 157', exact: true }).waitFor();
    expect(await page.getByText(/no alt text/).count()).toBe(0);
    await page.locator('[data-main-content]').evaluate((list: any) => list.scrollTo(0, list.scrollHeight));
    await page.getByText(/^57 assets have no alt text/).waitFor({ state: 'attached' });
    await page.locator('[data-main-content]').evaluate((list: any) => list.scrollTo(0, 0));
    await button(page, 'Add alt text').click();
    const dialog = page.getByRole('dialog', { name: 'Add missing alt text' });
    await dialog.getByText('Picture 57').waitFor();
    await dialog.getByLabel('Alt text').fill('Fresh from the oven');
    await dialog.getByRole('button', { name: 'Save and next' }).click();
    await dialog.getByText('Picture 56').waitFor();
    await page.getByText(/^56 assets have no alt text/).waitFor({ state: 'attached' });
    for (let left = 56; left > 0; left--) {
      await dialog.getByText(`Picture ${left}`, { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Skip' }).click();
    }
    await dialog.getByText('Every asset here has alt text, except those you skipped.').waitFor();
    await page.close();
  });
});

describe('The tag field', () => {
  it('looks like other fields, adds tags with Enter, and says that a tag is already there', async () => {
    const clientId = await newClient(owner);
    const uploader = Uploader.admin(owner, clientId);
    for (const title of ['Bread', 'Cake']) await uploader.upload(uniqueJpeg(), { title, tags: ['autumn'] });
    const page = await openAs(browser, service, OWNER, `/clients/${clientId}/assets`);
    const details = page.getByRole('complementary', { name: 'Details' });
    const card = (title: string) => page.getByRole('row', { name: title, exact: true });
    await card('Bread').click({ position: { x: 90, y: 70 } });
    if (!(await details.isVisible())) await page.keyboard.press('i');
    const field = details.getByLabel('Add a tag');
    expect((await field.boundingBox())!.height).toBe(40);
    await field.fill('autumn');
    await details.getByText('This tag is already there').waitFor();
    await expectAccessible(page);
    await field.fill('winter');
    await field.press('Enter');
    await details.getByRole('button', { name: 'Remove tag winter' }).waitFor();
    expect(await field.inputValue()).toBe('');
    expect(await field.evaluate((input: any) => input === input.ownerDocument.activeElement)).toBe(true);

    await card('Cake').click({ position: { x: 90, y: 70 }, modifiers: ['Control'] });
    await details.getByText('2 assets selected').waitFor();
    await details.getByLabel('Add a tag').fill('shop');
    await details.getByLabel('Add a tag').press('Enter');
    await details.getByRole('button', { name: 'Remove tag shop from all' }).waitFor();
    await page.close();
  });
});
