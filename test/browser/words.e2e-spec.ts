import type { Browser, Page } from 'playwright-core';
import type { Api } from '../support/api.js';
import { expectAccessible } from '../support/accessibility.js';
import { startBrowser } from '../support/browser.js';
import { openAs, openPage, startPages } from '../support/pages.js';
import { newClient } from '../support/people.js';
import { OWNER, type Service } from '../support/service.js';
import { uniqueJpeg, Uploader } from '../support/uploads.js';

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
    [
      '/users',
      'New user',
      'Create user',
      ['Enter the person’s name', 'Enter an email address', 'Enter a password'],
    ],
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
