import type { Browser, FrameLocator, Page } from 'playwright-core';
import type { Api } from '../support/api/api.js';
import { startBrowser } from '../support/browser/browser.js';
import { expectAccessible } from '../support/browser/accessibility.js';
import { inTree, openAs, returnPage, setNetwork, startPages } from '../support/browser/pages.js';
import { type Panel, startPanel } from '../support/browser/panel.js';
import { newClient, newKey, newPerson, type Person } from '../support/api/people.js';
import { OWNER, type Service } from '../support/services/service.js';
import { FILES, uniqueJpeg, Uploader } from '../support/api/uploads.js';

/** Globals of the page in which the functions below run. */
declare const window: any;
declare const addEventListener: any;
declare const document: any;

let panel: Panel;
/** For the browser, of the same site as the service. */
let near: Panel;
let nearUrl: string;
let service: Service;
let browser: Browser;
let owner: Api;

beforeAll(async () => {
  panel = await startPanel();
  near = await startPanel();
  nearUrl = near.url.replace('localhost', '127.0.0.1');
  service = await startPages({ EMBED_ORIGINS: `${panel.url},${nearUrl}` });
  owner = await service.api.signIn(OWNER);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  panel?.stop();
  near?.stop();
});

describe('Two windows', () => {
  it('show a new name, a new asset and a new folder within two seconds', async () => {
    const clientId = await newClient(owner);
    const library = Uploader.admin(owner, clientId);
    const asset = await library.upload(uniqueJpeg(), { title: 'Before' });
    const manager = await newPerson(owner, { role: 'client_manager', clientIds: [clientId] });
    const one = await openAs(browser, service, OWNER, `/clients/${clientId}/assets`);
    const other = await openAs(browser, service, manager);
    const cell = (page: Page, title: RegExp) => page.getByRole('gridcell', { name: title }).first();
    await cell(other, /Before/).waitFor();
    await cell(one, /Before/).waitFor();

    await one
      .getByRole('gridcell', { name: /Before/ })
      .first()
      .click();
    await one.keyboard.press('F2');
    await one.keyboard.type('After');
    await one.keyboard.press('Enter');
    await cell(one, /After/).waitFor();
    await cell(other, /After/).waitFor({ timeout: 2_000 });

    await library.upload(uniqueJpeg(), { title: 'Newcomer' });
    await cell(other, /Newcomer/).waitFor({ timeout: 2_000 });
    await cell(one, /Newcomer/).waitFor({ timeout: 2_000 });
    await owner.post(`${library.base}/folders`, { name: 'Fresh folder' });
    await other
      .getByRole('row', { name: /Fresh folder/ })
      .first()
      .waitFor({ timeout: 2_000 });
    await owner.request('DELETE', `${library.base}/${asset.assetId}`);
    await cell(other, /After/).waitFor({ state: 'hidden', timeout: 2_000 });
    await returnPage(one);
    await returnPage(other);
  });

  it('sign out when the account is deactivated', async () => {
    const clientId = await newClient(owner);
    const person = await newPerson(owner, { role: 'client_manager', clientIds: [clientId] });
    const page = await openAs(browser, service, person);
    await page.getByRole('button', { name: 'Upload', exact: true }).first().waitFor();
    await owner.request('PATCH', `/admin/users/${person.userId}`, { body: { isActive: false } });
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page
      .getByText(/account/i)
      .first()
      .waitFor();
    await returnPage(page);
  });
});

describe('A window without a connection', () => {
  it('says so, and loads what is missing when the connection is back', async () => {
    const clientId = await newClient(owner);
    const library = Uploader.admin(owner, clientId);
    const { folderId } = (await owner.post(`${library.base}/folders`, { name: 'Menu' })).body;
    await library.upload(uniqueJpeg(), { title: 'Breakfast', folderId });
    const page = await openAs(browser, service, OWNER, `/clients/${clientId}/assets`);
    const folder = inTree(page, 'Menu');
    await folder.waitFor();
    // With a limit, the browser believes that there is a network even on a computer that has none.
    const online = { bytesPerSecond: 10_000_000 };
    await setNetwork(page, online);
    await setNetwork(page, { offline: true });
    await folder.click();
    await page.getByText('The server cannot be reached').waitFor();
    await setNetwork(page, online);
    await page
      .getByRole('gridcell', { name: /Breakfast/ })
      .first()
      .waitFor();
    await returnPage(page);
  });
});

describe('The picker in a page of another origin', () => {
  let clientId: string;
  let person: Person;
  let refs: Record<string, string>;
  beforeAll(async () => {
    clientId = await newClient(owner);
    person = await newPerson(owner, { role: 'client_manager', clientIds: [clientId] });
    const library = Uploader.admin(owner, clientId);
    const { folderId } = (await owner.post(`${library.base}/folders`, { name: 'Menu' })).body;
    const upload = async (title: string, extra: object) =>
      (await library.upload(uniqueJpeg(), { title, ...extra })).assetRef as string;
    refs = {
      everywhere: await upload('For everywhere', { altText: '' }),
      social: await upload('For social', { allowedSurfaces: ['social'], folderId }),
      website: await upload('For the website', { allowedSurfaces: ['website'] }),
    };
    await library.upload(FILES.mp4, { title: 'A film' });
  });

  async function embed(
    query: string,
    { at = panel.url, width = 900 } = {},
  ): Promise<{ page: Page; frame: FrameLocator; messages: () => Promise<any[]> }> {
    const page = await (await browser.newContext({ viewport: { width: 1000, height: 720 } })).newPage();
    await page.goto(at);
    await page.evaluate(
      ([src, width]) => {
        window.messages = [];
        addEventListener('message', ({ origin, data }: any) => window.messages.push({ origin, data }));
        const frame = Object.assign(document.createElement('iframe'), { src, width, height: 640 });
        document.body.append(frame);
      },
      [`${service.url}/embed/picker?${query}`, width] as const,
    );
    return { page, frame: page.frameLocator('iframe'), messages: () => page.evaluate(() => window.messages) };
  }

  async function signIn(frame: FrameLocator, { email, password }: { email: string; password: string }) {
    await frame.getByLabel('Email').fill(email);
    await frame.getByLabel('Password', { exact: true }).fill(password);
    await frame.getByRole('button', { name: 'Sign in' }).click();
  }

  it('signs in, shows what the surface allows, and returns several', async () => {
    const { page, frame, messages } = await embed('surface=social&multiple=true');
    await frame.getByLabel('Email').waitFor();
    await expectAccessible(page, page.frames().at(-1));
    await signIn(frame, person);
    const option = (name: string) => frame.getByRole('option', { name });
    await option('For everywhere').click();
    // The cookie does not reach a frame of another site; the pictures do.
    await frame.locator('img[src^="blob:"]').first().waitFor();
    expect(await option('For the website').count()).toBe(0);
    await frame.getByRole('button', { name: 'Menu', exact: true }).click();
    await frame.getByRole('heading', { name: 'Menu' }).waitFor();
    await option('For social').click();
    await frame.getByText('2 selected').waitFor();
    // For some seconds, React Aria's announcement about the sign-in button refers to an element that no longer exists.
    await frame.locator('[data-live-announcer] [role="img"]').first().waitFor({ state: 'detached' });
    await expectAccessible(page, page.frames().at(-1));
    await frame.getByRole('button', { name: 'Choose', exact: true }).click();
    await page.waitForFunction(() => window.messages.length === 1);
    expect(await messages()).toEqual([
      {
        origin: service.url,
        data: { type: 'client-asset-library:picked', assetRefs: [refs['everywhere'], refs['social']] },
      },
    ]);
    await page.context().close();
  });

  it('lets an operator choose the client, searches, takes one, and can be cancelled', async () => {
    const { page, frame, messages } = await embed('surface=website');
    await newClient(owner, 'Another client');
    await signIn(frame, OWNER);
    await frame.getByRole('heading', { name: 'Choose a client' }).waitFor();
    await frame.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForFunction(() => window.messages.length === 1);
    expect(await messages()).toMatchObject([{ data: { type: 'client-asset-library:cancelled' } }]);
    await page.context().close();

    const direct = await embed(`surface=website&clientId=${clientId}`);
    await signIn(direct.frame, OWNER);
    await direct.frame.getByRole('searchbox').fill('website');
    await direct.frame.getByRole('option', { name: 'For everywhere' }).waitFor({ state: 'hidden' });
    await direct.frame.getByRole('option', { name: 'For the website' }).click();
    await direct.frame.getByRole('button', { name: 'Choose', exact: true }).click();
    await direct.page.waitForFunction(() => window.messages.length === 1);
    expect((await direct.messages())[0].data.assetRefs).toEqual([refs['website']]);
    await direct.page.context().close();
  });

  it('needs no sign-in with a token of the page, and uploads', async () => {
    const { key } = await newKey(owner, { role: 'operator', clientIds: [clientId] });
    const newToken = async () => {
      const request = { clientId, surface: 'social', multiple: true, uploads: true };
      return (await service.api.as(key).post('/admin/picker-tokens', request)).body.token as string;
    };
    const token = await newToken();
    const { page, frame, messages } = await embed(`#token=${token}`, { width: 360 });
    const option = (name: string) => frame.getByRole('option', { name });
    await option('For everywhere').click();
    await frame.locator('img[src^="blob:"]').first().waitFor();
    expect(await option('For the website').count()).toBe(0);
    const inner = () => page.frames().at(-1)!;
    expect(inner().url()).not.toContain(token);
    expect(await page.context().cookies()).toEqual([]);

    const chooser = page.waitForEvent('filechooser');
    await frame.getByRole('button', { name: 'Upload', exact: true }).click();
    await (
      await chooser
    ).setFiles([{ name: 'from panel.jpg', mimeType: 'image/jpeg', buffer: uniqueJpeg().bytes }]);
    await frame.getByText('2 selected').waitFor();
    await option('from panel').waitFor();
    await frame.getByRole('region', { name: 'Uploads' }).waitFor({ state: 'hidden', timeout: 20_000 });
    await expectAccessible(page, inner());
    await frame.getByRole('button', { name: 'Choose', exact: true }).click();
    await page.waitForFunction(() => window.messages.length === 1);
    const { assetRefs } = (await messages())[0].data;
    expect(assetRefs).toEqual([refs['everywhere'], expect.stringMatching(/^asset_/)]);
    const uploaded = await owner.get(`/admin/clients/${clientId}/assets/${assetRefs[1]}`);
    expect(uploaded.body).toMatchObject({ title: 'from panel', allowedSurfaces: ['social'] });

    // A reload takes the access away, so the picker asks the page for another token.
    await inner().evaluate(() => document.location.reload());
    await frame.getByRole('heading', { name: 'Your access has ended' }).waitFor();
    await page.waitForFunction(() => window.messages.length === 2);
    expect((await messages())[1].data).toEqual({ type: 'client-asset-library:token-expired' });
    await page.evaluate(
      ([token, origin]) =>
        document
          .querySelector('iframe')
          .contentWindow.postMessage({ type: 'client-asset-library:token', token }, origin),
      [await newToken(), service.url] as const,
    );
    await option('For everywhere').waitFor();

    // Whoever ends the key, ends the picker.
    const { apiKeys } = (await owner.get('/admin/api-keys')).body;
    await owner.delete(`/admin/api-keys/${apiKeys[0].keyId}`);
    await frame.getByRole('searchbox').fill('every');
    await frame.getByRole('button', { name: 'Sign in instead' }).click();
    await signIn(frame, person);
    await option('For everywhere').waitFor();
    await page.context().close();
  });

  it.each([
    ['the same site', () => nearUrl],
    ['another site', () => panel.url],
  ])('stays signed in on %s', async (_where, at) => {
    const { page, frame } = await embed('', { at: at() });
    // Without storage in the frame, it has already tried once.
    const learned = page.waitForResponse(
      (response) => response.ok() && response.url().endsWith('/auth/refresh'),
    );
    await signIn(frame, person);
    const asset = frame.getByRole('option', { name: 'For everywhere' });
    await asset.waitFor();
    await learned;
    const inner = page.frames().at(-1)!;
    await inner.evaluate(() => document.location.reload());
    await asset.waitFor();
    await page.context().close();
  });

  it('explains that the browser does not remember the panel', async () => {
    const { page, frame } = await embed('', { at: nearUrl });
    // As in a browser that refuses cookies in frames.
    await page.route('**/auth/refresh', (route) =>
      route.fulfill({
        status: 401,
        contentType: 'application/problem+json',
        json: {
          type: 'about:blank',
          title: 'The refresh token is not valid',
          status: 401,
          detail: 'The refresh token is not valid',
          code: 'refresh_token_invalid',
          requestId: 'from-the-test',
        },
      }),
    );
    await signIn(frame, person);
    await frame.getByText('You will have to sign in again next time.').waitFor();
    await frame.getByRole('option', { name: 'For everywhere' }).waitFor();
    await expectAccessible(page, page.frames().at(-1));
    await page
      .frames()
      .at(-1)!
      .evaluate(() => document.location.reload());
    await frame.getByText('Sign in again, or open the library in its own window.').waitFor();
    const own = page.waitForEvent('popup');
    await frame.getByRole('link', { name: 'Open the library in its own window' }).click();
    expect((await own).url()).toContain(service.url);
    await signIn(frame, person);
    await frame.getByRole('option', { name: 'For everywhere' }).waitFor();
    await page.context().close();
  });

  it('cannot be embedded by any other origin, nor can the other pages', async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(panel.url.replace('localhost', '127.0.0.1'));
    for (const path of ['/embed/picker', '/sign-in']) {
      const refused = page.waitForEvent('console', {
        predicate: (message) => /frame-ancestors/.test(message.text()),
      });
      await page.evaluate((src) => {
        document.body.replaceChildren(Object.assign(document.createElement('iframe'), { src }));
      }, service.url + path);
      await refused;
    }
    await page.context().close();
  });
});
