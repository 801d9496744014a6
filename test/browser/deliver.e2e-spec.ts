import type { Browser, Locator, Page } from 'playwright-core';
import type { Api } from '../support/api/api.js';
import { expectAccessible } from '../support/browser/accessibility.js';
import { startBrowser } from '../support/browser/browser.js';
import { openAs, startPages } from '../support/browser/pages.js';
import { newClient } from '../support/api/people.js';
import { OWNER, type Service } from '../support/services/service.js';
import { FILES, type TestFile, uniqueJpeg, Uploader } from '../support/api/uploads.js';
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

async function clientWith(targets: readonly Record<string, unknown>[]): Promise<string> {
  const clientId = await newClient(owner);
  for (const target of targets)
    expect((await owner.post(`/admin/clients/${clientId}/targets`, target)).status).toBe(201);
  return clientId;
}

const blog = () => media.site.target({ name: 'The blog' });

/** The details of a new asset, and the dialog that delivers it. */
async function delivering(clientId: string, file: TestFile, session: Record<string, unknown> = {}) {
  const { title } = await Uploader.admin(owner, clientId).upload(file, { title: 'Wheat field', ...session });
  const page = await openAs(browser, service, OWNER, `/clients/${clientId}/assets`);
  await page.getByRole('row', { name: title, exact: true }).click({ position: { x: 90, y: 70 } });
  const details = page.getByRole('complementary', { name: 'Details' });
  if (!(await details.isVisible())) await page.keyboard.press('i');
  await details.getByRole('button', { name: 'Deliver' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deliver to a destination' });
  await dialog.getByRole('button', { name: /Destination$/ }).waitFor();
  return { page, details, dialog };
}

const select = (dialog: Locator, label: string) =>
  dialog.getByRole('button', { name: new RegExp(`${label}$`) });

async function choose(page: Page, dialog: Locator, label: string, option: string | RegExp): Promise<void> {
  await select(dialog, label).click();
  await page.getByRole('option', { name: option }).click();
}

describe('The Deliver dialog', () => {
  it('preselects the resized copy that the details promise, and explains the original', async () => {
    const clientId = await clientWith([blog()]);
    const { page, details, dialog } = await delivering(clientId, FILES.heic);
    expect(await details.getByText('After resizing').first().isVisible()).toBe(true);
    await select(dialog, 'File').getByText('Resized copy').waitFor();

    const explanation = dialog.getByRole('status').filter({ hasText: 'Website may refuse this file' });
    expect(await explanation.count()).toBe(0);
    await select(dialog, 'File').click();
    await page
      .getByRole('option', { name: 'Original file' })
      .getByText('Website may refuse this file')
      .click();
    await explanation.getByText('WordPress accepts JPEG, PNG, WebP (this file: HEIC).').waitFor();
    await expectAccessible(page);

    await choose(page, dialog, 'File', 'Resized copy');
    await dialog.getByRole('button', { name: 'Deliver', exact: true }).click();
    await page.getByText('Delivery started').waitFor();
    const { deliveries } = (await owner.get(`/admin/clients/${clientId}/deliveries`)).body;
    expect(deliveries).toEqual([expect.objectContaining({ surface: 'website', rendition: 'fit' })]);
    await page.close();
  });

  it('pairs WordPress with the website, without forbidding other places', async () => {
    const endpoint = { kind: 'http', name: 'A printer', url: `${service.url}/nowhere`, method: 'PUT' };
    const clientId = await clientWith([blog(), endpoint]);
    const allowedSurfaces = ['gbp', 'social', 'website'];
    const everywhere = await delivering(clientId, uniqueJpeg(), { allowedSurfaces });
    await select(everywhere.dialog, 'Used on').getByText('Website').waitFor();
    await choose(everywhere.page, everywhere.dialog, 'Used on', 'Social media');
    await choose(everywhere.page, everywhere.dialog, 'Destination', 'A printer');
    await choose(everywhere.page, everywhere.dialog, 'Destination', 'The blog');
    await select(everywhere.dialog, 'Used on').getByText('Website').waitFor();
    await everywhere.page.close();

    const session = { title: 'Invitation', allowedSurfaces: ['social'] };
    const social = await delivering(clientId, uniqueJpeg(), session);
    await select(social.dialog, 'Destination').getByText('The blog').waitFor();
    await select(social.dialog, 'Used on').getByText('Social media').waitFor();
    await social.page.close();
  });

  it('warns about a destination whose last check failed, and prefers one that works', async () => {
    const broken = {
      ...media.site.target({ name: 'A broken blog' }),
      applicationPassword: 'wrong wrong wrong',
    };
    const clientId = await clientWith([broken, blog()]);
    const { page, dialog } = await delivering(clientId, uniqueJpeg());
    await select(dialog, 'Destination').getByText('The blog').waitFor();
    expect(await dialog.getByText(/^Last check failed/).count()).toBe(0);

    await select(dialog, 'Destination').click();
    await page.getByRole('option', { name: 'A broken blog' }).getByText('Last check failed').click();
    const warning = dialog.getByRole('status').filter({ hasText: /Last check failed: .+/ });
    await warning.waitFor();
    await expectAccessible(page);
    await warning.getByRole('link', { name: 'Open destinations' }).click();
    await page.getByRole('row', { name: /A broken blog/ }).waitFor();
    await page.close();
  });
});
