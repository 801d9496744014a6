import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { expectAccessible } from '../support/browser/accessibility.js';
import type { Api } from '../support/api/api.js';
import { startBrowser } from '../support/browser/browser.js';
import { openAs, startPages } from '../support/browser/pages.js';
import { newClient } from '../support/api/people.js';
import { OWNER, type Service } from '../support/services/service.js';
import { WordPressMediaLibrary } from '../support/wordpress/wordpress-media.js';
import { SITE_USER } from '../support/wordpress/wordpress-site.js';

let service: Service;
let owner: Api;
let browser: Browser;
let media: WordPressMediaLibrary;
/** Where nothing listens. */
let wrongUrl: string;

beforeAll(async () => {
  service = await startPages({ TARGETS_ALLOW_PRIVATE: 'true', WORKER: 'inline' });
  owner = await service.api.signIn(OWNER);
  browser = await startBrowser();
  media = await WordPressMediaLibrary.start();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  wrongUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.close();
  await once(server, 'close');
});
afterAll(async () => {
  await browser?.close();
  await media?.site.stop();
  await service?.stop();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialogIn = (page: Page) => page.getByRole('dialog');

/** The page of a new client with one destination, which is being verified. */
async function verifying(
  change: Record<string, unknown>,
): Promise<{ page: Page; targets: () => Promise<any[]> }> {
  const clientId = await newClient(owner);
  const path = `/admin/clients/${clientId}/targets`;
  const created = await owner.post(path, media.site.target({ name: 'bakery.example', ...change }));
  expect(created.status).toBe(201);
  const page = await openAs(browser, service, OWNER, `/clients/${clientId}/targets`, {});
  await verify(page);
  return { page, targets: async () => (await owner.get(path)).body.targets };
}

async function verify(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Actions for bakery.example' }).click();
  await page.getByRole('menuitem', { name: 'Verify' }).click();
  await page.getByText('This destination does not work right now').waitFor();
}

describe('A destination that cannot be reached', () => {
  it('says which step failed and which have not been checked', async () => {
    const { page } = await verifying({ baseUrl: wrongUrl });
    const steps = page.getByRole('list', { name: 'Verification steps' }).getByRole('listitem');
    const failed = steps.filter({ hasText: 'The site can’t be reached' });
    await failed.getByRole('img', { name: 'Failed' }).waitFor();
    await failed.getByText('How to fix it:').waitFor();
    expect(await page.getByText('can be reached').count()).toBe(0);
    expect((await steps.allInnerTexts()).slice(1)).toEqual([
      expect.stringMatching(/^WordPress\s+Not checked$/),
      expect.stringMatching(/^Username and password\s+Not checked$/),
      expect.stringMatching(/^Permission to upload files\s+Not checked$/),
    ]);
    expect(await steps.getByRole('img', { name: 'Passed' }).count()).toBe(0);
    await expectAccessible(page);
    await page.context().close();
  });

  it('can be entered again with its fields kept, and is deleted only when the new one is saved', async () => {
    const { page, targets } = await verifying({ baseUrl: wrongUrl });
    const [old] = await targets();
    const ids = async () => (await targets()).map(({ targetId }) => targetId);
    await button(page, 'Delete and enter again').click();
    await dialogIn(page).getByRole('heading', { name: 'Enter bakery.example again' }).waitFor();
    const address = dialogIn(page).getByLabel('Site address');
    const password = dialogIn(page).getByLabel('Application password');
    expect(await dialogIn(page).getByLabel('Name', { exact: true }).inputValue()).toBe('bakery.example');
    expect(await address.inputValue()).toBe(wrongUrl);
    expect(await dialogIn(page).getByLabel('Username').inputValue()).toBe(SITE_USER.username);
    expect(await password.inputValue()).toBe('');
    await expectAccessible(page);
    await button(page, 'Cancel').click();
    await dialogIn(page).waitFor({ state: 'detached' });
    expect(await ids()).toEqual([old.targetId]);

    await verify(page);
    await button(page, 'Delete and enter again').click();
    await address.fill('http://127.0.0.1:9');
    await password.fill(SITE_USER.applicationPassword);
    await button(page, 'Add and verify').click();
    await page.getByText('Port 9 is not allowed').first().waitFor();
    expect(await ids()).toEqual([old.targetId]);

    await address.fill(media.site.baseUrl);
    await button(page, 'Add and verify').click();
    await page.getByText('Everything works').waitFor();
    for (const step of ['The site can be reached', 'WordPress was found', 'The user may upload files'])
      await page
        .getByRole('listitem')
        .filter({ hasText: step })
        .getByRole('img', { name: 'Passed' })
        .waitFor();
    await button(page, 'Done').click();
    const now = await targets();
    expect(now).toMatchObject([{ name: 'bakery.example', baseUrl: media.site.baseUrl, state: 'connected' }]);
    expect(now[0].targetId).not.toBe(old.targetId);
    await page
      .getByRole('row', { name: /bakery\.example/ })
      .getByText('Connected')
      .waitFor();
    await page.context().close();
  });
});

describe('A destination with a wrong password', () => {
  it('leads to its fields, because the address is right', async () => {
    const { page, targets } = await verifying({ applicationPassword: 'wrong wrong' });
    await page.getByText('The username or password doesn’t work').waitFor();
    expect(await button(page, 'Delete and enter again').count()).toBe(0);
    await button(page, 'Edit').click();
    await dialogIn(page).getByLabel('Application password').fill(SITE_USER.applicationPassword);
    await button(page, 'Save').click();
    await page.getByText('Everything works').waitFor();
    expect(await targets()).toMatchObject([{ state: 'connected' }]);
    await page.context().close();
  });
});
