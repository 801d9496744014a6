import type { Browser, Page } from 'playwright-core';
import type { Api } from '../support/api/api.js';
import { startBrowser } from '../support/browser/browser.js';
import { eventually } from '../support/eventually.js';
import { failuresIn, openPage } from '../support/browser/pages.js';
import { newClient, newPerson, PASSWORD } from '../support/api/people.js';
import { OWNER, type RunningService } from '../support/services/service.js';
import { sharedService } from '../support/services/shared-service.js';

let service: RunningService;
let owner: Api;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  service = await sharedService();
  owner = await service.api.signIn(OWNER);
  browser = await startBrowser();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  page = await openPage(browser, { viewport: { width: 1280, height: 800 } });
  await page.goto(`${service.url}/docs`);
  await group('Sign-in').waitFor();
});
afterEach(async () => {
  expect(failuresIn(page)).toEqual([]);
  await page.context().close();
});

const group = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog', { name: 'Authorize' });
const operation = (group: string, id: string) => page.locator(`[id="operations-${group}-${id}"]`);

async function signInAs({ email, password }: { email: string; password: string }): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).click();
  await dialog().getByLabel('Email').waitFor();
  // The first field has the focus: nothing else is needed than to type.
  await eventually(async () =>
    expect(
      await dialog()
        .getByLabel('Email')
        .evaluate((field) => field.matches(':focus')),
    ).toBe(true),
  );
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
}

describe('Swagger UI', () => {
  it('shows what people come to do, each group collapsed, with a sentence about it', async () => {
    const { tags } = (await service.api.get('/openapi.json')).body;
    const groups = page.locator('.opblock-tag');
    const shown = await groups.evaluateAll((all: any[]) =>
      all.map((each) => ({
        name: each.dataset.tag,
        description: each.querySelector('small').textContent.trim(),
      })),
    );
    expect(shown).toEqual(tags);
    expect(await page.locator('.opblock').count()).toBe(0);
    await group('Trash').click();
    await page.getByText('Restore a batch from the trash').first().waitFor();
    expect(await group('Trash').getAttribute('aria-expanded')).toBe('true');
  });

  it('shows the three steps of an upload, and the rest of the introduction on request', async () => {
    for (const step of ['1. Create a session', '2. Send the bytes to the object store', '3. Finalize'])
      expect(await page.getByRole('heading', { name: step }).isVisible()).toBe(true);
    const example = page.getByText('"code": "asset_not_found"');
    expect(await example.isVisible()).toBe(false);
    await page.getByText('Handle errors').click();
    expect(await example.isVisible()).toBe(true);
  });

  it('finds operations by any word, and shows them', async () => {
    const filter = page.getByRole('searchbox', { name: 'Filter operations' });
    await filter.fill('restore Trash');
    await operation('Trash', 'restoreTrash').waitFor();
    await operation('Trash', 'restorePortalTrash').waitFor();
    expect(await page.locator('.opblock-tag').count()).toBe(1);
    expect(await page.locator('.opblock').count()).toBe(2);
    await filter.fill('listPortalAssets');
    await operation('Assets', 'listPortalAssets').waitFor();
    await filter.fill('');
    await group('Diagnostics').waitFor();
    expect(await page.locator('.opblock').count()).toBe(0);
  });

  it('signs in with email and password, and then sends requests as that user', async () => {
    const clientId = await newClient(owner);
    const { email } = await newPerson(owner, { role: 'viewer', clientIds: [clientId] });
    await signInAs({ email, password: 'wrong password' });
    await dialog().getByRole('alert').filter({ hasText: 'password is wrong' }).waitFor();
    await dialog().getByLabel('Password').fill(PASSWORD);
    await dialog().getByRole('button', { name: 'Sign in' }).click();
    await dialog().waitFor({ state: 'detached' });
    // Signing in here must not change who is signed in to the pages.
    expect(await page.context().cookies()).toEqual([]);

    await group('Assets').click();
    await operation('Assets', 'listAssets').getByRole('button', { expanded: false }).first().click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('textbox', { name: 'clientId' }).fill(clientId);
    const answer = page.waitForResponse((response) =>
      response.url().includes(`/admin/clients/${clientId}/assets`),
    );
    await page.getByRole('button', { name: 'Execute' }).click();
    expect((await answer).status()).toBe(200);
    expect(await (await answer).json()).toMatchObject({ assets: [] });
    await page.locator('.live-responses-table').getByText('200').first().waitFor();

    await page.getByRole('button', { name: 'Authorize', exact: true }).first().click();
    await dialog().getByText(`Signed in as ${email}`).waitFor();
    await dialog().getByRole('button', { name: 'Sign out' }).click();
    await dialog().getByLabel('Email').waitFor();
  });

  it('lists the problems of an operation', async () => {
    await group('Assets').click();
    await operation('Assets', 'listAssets').getByRole('button', { expanded: false }).first().click();
    await operation('Assets', 'listAssets')
      .getByText('unauthenticated: Authentication is required')
      .waitFor();
  });

  it('keeps the focus in its dialog, and returns it', async () => {
    const opener = page.getByRole('button', { name: 'Authorize' });
    await opener.click();
    await dialog().getByLabel('Email').waitFor();
    for (let presses = 0; presses < 15; presses++) {
      await page.keyboard.press('Tab');
      expect(await dialog().locator(':focus').count()).toBe(1);
    }
    expect(await dialog().getByText('__Host-session').count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(await opener.evaluate((button) => button.matches(':focus'))).toBe(true);
  });

  it.each([320, 390, 1280, 2560])('fits into %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await group('Assets').click();
    await operation('Assets', 'listAssets').getByRole('button', { expanded: false }).first().click();
    await page.getByRole('button', { name: 'Try it out' }).waitFor();
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);
  });

  it('is as wide as a phone, and does not shrink to fit', async () => {
    const viewport = { width: 390, height: 844 };
    const phone = await openPage(browser, { viewport, isMobile: true, hasTouch: true });
    await phone.goto(`${service.url}/docs`);
    await phone.getByRole('button', { name: 'Assets', exact: true }).tap();
    await phone.locator('[id="operations-Assets-listAssets"] button').first().tap();
    await phone.getByRole('button', { name: 'Try it out' }).waitFor();
    expect(await phone.evaluate('[innerWidth, document.documentElement.scrollWidth]')).toEqual([390, 390]);
    await phone.context().close();
  });
});
