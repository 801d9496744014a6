import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, Page, Request } from 'playwright-core';
import type { Api } from '../support/api/api.js';
import { expectAccessible } from '../support/browser/accessibility.js';
import { startBrowser } from '../support/browser/browser.js';
import {
  allowUploadsFrom,
  dropFiles,
  forbidUploads,
  openAs,
  returnPage,
  setNetwork,
  startPages,
} from '../support/browser/pages.js';
import { newClient, newPerson } from '../support/api/people.js';
import { OWNER, type Service } from '../support/services/service.js';
import { FILES, uniqueJpeg } from '../support/api/uploads.js';

/** The page's own. */
declare const document: any;
declare const ClipboardEvent: any;
declare const DataTransfer: any;
declare const dispatchEvent: any;
declare const navigator: any;

const MIB = 1024 * 1024;

let service: Service;
let owner: Api;
let browser: Browser;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pages-upload-'));
  service = await startPages({ WORKER: 'inline' });
  owner = await service.api.signIn(OWNER);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  rmSync(directory, { recursive: true });
});

function fileOnDisk(path: string, bytes: Buffer = uniqueJpeg(FILES.jpeg.bytes).bytes): string {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  return file;
}

const panelOf = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const rowOf = (page: Page, name: string) => panelOf(page).getByRole('listitem').filter({ hasText: name });

async function pick(page: Page, files: string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click();
  await (await chooser).setFiles(files);
}

/** A new client, and its page as the owner sees it once it has loaded. */
async function ownLibrary(at = service): Promise<{ page: Page; assets: string }> {
  const clientId = await newClient(owner);
  const page = await openAs(browser, at, OWNER, `/clients/${clientId}/assets`);
  await page.getByRole('heading', { name: 'Add your first images and videos' }).waitFor();
  return { page, assets: `/admin/clients/${clientId}/assets` };
}

const withoutStorage = () =>
  service.another(
    Object.fromEntries(
      Object.keys(service.env)
        .filter((name) => name.startsWith('STORAGE_'))
        .map((name) => [name, undefined]),
    ),
  );

describe.each(['admin', 'portal'] as const)('Uploading on the %s side', (side) => {
  let page: Page;
  let assets: string;
  let api: Api;
  beforeAll(async () => {
    const clientId = await newClient(owner);
    const role = side === 'admin' ? 'operator' : 'client_manager';
    const person = await newPerson(owner, { role, clientIds: [clientId] });
    api = person.api;
    assets = side === 'admin' ? `/admin/clients/${clientId}/assets` : '/portal/assets';
    page = await openAs(browser, service, person);
    await page.getByRole('button', { name: 'Upload', exact: true }).first().waitFor();
  });
  afterAll(() => page && returnPage(page));

  it('a dropped folder keeps its structure, shows its progress and appears', async () => {
    for (const path of ['cover.jpg', 'Day 1/one.jpg', 'Day 1/two.jpg', 'Day 1/Details/three.jpg'])
      fileOnDisk(`${side}/Shoot/${path}`);
    fileOnDisk(`${side}/Shoot/.DS_Store`, Buffer.from('hidden'));
    mkdirSync(join(directory, side, 'Shoot/Empty'));
    await setNetwork(page, { bytesPerSecond: 20_000 });
    await dropFiles(page, [join(directory, side, 'Shoot')]);

    const panel = panelOf(page);
    await panel.getByText('Uploading 4 files').waitFor();
    await panel.getByRole('progressbar', { name: 'Overall progress' }).waitFor();
    await panel.getByRole('progressbar', { name: 'Progress of cover.jpg' }).waitFor();
    await panel.getByText(/\d+ kB\/s/).waitFor();
    await panel.getByText(/left$/).waitFor();
    await setNetwork(page, {});
    await panel.getByText('4 files uploaded').waitFor();

    await page.getByRole('row', { name: /Shoot/ }).first().click();
    await page.getByRole('gridcell', { name: /cover/ }).first().waitFor();
    const { folders } = (await api.get(`${assets}/folders`)).body;
    const counts = Object.fromEntries(folders.map((folder: any) => [folder.path, folder.assets]));
    expect(counts).toMatchObject({
      Shoot: 1,
      'Shoot/Day 1': 2,
      'Shoot/Day 1/Details': 1,
      'Shoot/Empty': 0,
    });
    // Everything succeeded, so the panel closes automatically.
    await panel.waitFor({ state: 'hidden' });
  });

  it('works without a mouse', async () => {
    const file = fileOnDisk(`${side}/by keyboard.jpg`);
    const chooser = page.waitForEvent('filechooser');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Upload', exact: true }).first().focus();
    await page.keyboard.press('Enter');
    await (await chooser).setFiles([file]);
    await page.getByRole('status').filter({ hasText: '1 file uploaded.' }).waitFor({ state: 'attached' });
    await page
      .getByRole('gridcell', { name: /by keyboard/ })
      .first()
      .waitFor();
  });

  it('accepts a pasted picture, and gives it a meaningful name', async () => {
    // As text, because Playwright takes long to check long lists.
    await page.evaluate((bytes) => {
      const data = new DataTransfer();
      const content = Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0));
      data.items.add(new File([content], 'image.jpg', { type: 'image/jpeg' }));
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    }, uniqueJpeg().bytes.toString('base64'));
    await page
      .getByRole('gridcell', { name: /^Pasted \d{4}-\d{2}-\d{2}/ })
      .first()
      .waitFor();
  });

  it('points out a file that already exists', async () => {
    const { bytes } = uniqueJpeg();
    const titles = async () => (await api.get(`${assets}?q=twin`)).body.assets.map(({ title }: any) => title);
    await pick(page, [fileOnDisk(`${side}/twin one.jpg`, bytes)]);
    await rowOf(page, 'twin one.jpg').getByText('Done').waitFor();
    const copies = ['twin two', 'twin three'].map((name) => fileOnDisk(`${side}/${name}.jpg`, bytes));
    await pick(page, copies);
    await panelOf(page).getByText('2 were already here').waitFor();
    await panelOf(page).getByText('Same file as twin one').first().waitFor();
    await page.getByRole('button', { name: 'Remove the new copy of twin two.jpg' }).click();
    await panelOf(page).getByText('1 was already here').waitFor();
    await panelOf(page).getByRole('button', { name: 'Keep' }).click();
    // It stays while the pointer is over it.
    await page.mouse.move(0, 0);
    await panelOf(page).waitFor({ state: 'hidden' });
    expect((await titles()).sort()).toEqual(['twin one', 'twin three']);
  });
});

describe('On a phone', () => {
  it('the camera takes a photo and uploads it', async () => {
    const clientId = await newClient(owner);
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const page = await openAs(browser, service, OWNER, `/clients/${clientId}/assets`, phone);
    await page.getByRole('button', { name: 'Upload', exact: true }).first().tap();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('menuitem', { name: 'Take a photo' }).tap();
    const input = (await chooser).element();
    // Phones open the camera for this attribute; some browsers ignore the property.
    expect(await input.getAttribute('capture')).toBe('environment');
    expect(await input.getAttribute('accept')).toBe('image/*');
    expect((await chooser).isMultiple()).toBe(false);
    await (await chooser).setFiles([fileOnDisk('camera.jpg')]);
    await page
      .getByRole('gridcell', { name: /camera/ })
      .first()
      .waitFor();
    await page.context().close();
  });
});

describe('An upload', () => {
  it('continues after a lost connection, a pause and a reload, and sends no finished part twice', async () => {
    const { page, assets } = await ownLibrary();
    const bytes = Buffer.concat([uniqueJpeg().bytes, randomBytes(101 * MIB)]);
    const file = fileOnDisk('large.jpg', bytes);
    const sent: string[] = [];
    const noteParts = (request: Request) => {
      const part = new URL(request.url()).searchParams.get('partNumber');
      if (request.method() === 'PUT' && part !== null) sent.push(part);
    };
    page.on('requestfinished', noteParts);
    await setNetwork(page, { bytesPerSecond: 25 * MIB });
    await pick(page, [file]);
    const row = rowOf(page, 'large.jpg');
    await row.getByText(/^[1-9]\d% ·/).waitFor();

    const beforeOutage = sent.length;
    await setNetwork(page, { offline: true });
    await panelOf(page).getByText('Waiting for connection').waitFor();
    await setNetwork(page, { bytesPerSecond: 25 * MIB });
    await panelOf(page).getByText('Uploading 1 file').waitFor();
    await row.getByText(/^[3-9]\d% ·/).waitFor();

    const beforePause = sent.length;
    expect(beforePause).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Pause large.jpg' }).click();
    await row.getByText('Paused').waitFor();
    const before = sent.length;
    const asked = page.waitForEvent('dialog');
    const reloading = page.reload();
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await reloading;

    await setNetwork(page, {});
    await pick(page, [file]);
    await panelOf(page).getByText('1 file uploaded').waitFor();
    expect(sent.length).toBeGreaterThan(before);
    // A part whose response is pending when the connection is lost, or the upload is paused, may have to be sent again.
    for (const at of [beforeOutage, beforePause])
      expect(sent.slice(at).filter((part) => sent.slice(0, at).includes(part))).toEqual([]);
    const { body } = await owner.get(assets);
    expect(body.assets).toMatchObject([{ title: 'large', sizeBytes: bytes.length }]);
    page.off('requestfinished', noteParts);
    await returnPage(page);
  }, 180_000);

  it('works while the browser believes that it is offline, if the service can be reached', async () => {
    const { page } = await ownLibrary();
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
      dispatchEvent(new Event('offline'));
    });
    await pick(page, [fileOnDisk('on this computer.jpg')]);
    await panelOf(page).getByText('1 file uploaded').waitFor();
    await page
      .getByRole('gridcell', { name: /on this computer/ })
      .first()
      .waitFor();
    await returnPage(page);
  });

  it('that fails shows the cause and the fix', async () => {
    const { page } = await ownLibrary();
    const { heic, mp4 } = FILES;
    await pick(page, [
      fileOnDisk('notes.txt', Buffer.from('not a picture')),
      fileOnDisk('broken.jpg', Buffer.alloc(4000, 7)),
      fileOnDisk('empty.png', Buffer.alloc(0)),
      fileOnDisk('field.heic', heic.bytes),
      fileOnDisk('steam.mp4', mp4.bytes),
    ]);
    const says = (name: string, text: RegExp) => rowOf(page, name).getByText(text).waitFor();
    await says('notes.txt', /^Rejected as an unsupported type\. Only JPEG, PNG, WebP, HEIC and MP4/);
    await says('broken.jpg', /^The content does not match the file type/);
    expect(
      await panelOf(page)
        .getByText(/^Request ID/)
        .count(),
    ).toBe(0);
    await says('empty.png', /^The file is empty/);
    await panelOf(page).getByText('3 uploads failed').first().waitFor();
    await panelOf(page).getByText('2 files uploaded').waitFor();
    await expectAccessible(page);
    await page.getByRole('gridcell', { name: /field/ }).first().waitFor();
    await page.getByRole('gridcell', { name: /steam/ }).first().waitFor();
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click();
    await returnPage(page);
  });

  it('is not cancelled by signing out without confirmation', async () => {
    const { page } = await ownLibrary();
    await setNetwork(page, { bytesPerSecond: 10_000 });
    await pick(page, [fileOnDisk('slow.jpg')]);
    await panelOf(page).getByText('Uploading 1 file').waitFor();
    const signOut = async () => {
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    await signOut();
    const question = page.getByRole('alertdialog', { name: 'Sign out while uploading?' });
    await question.getByText(/1 file is still uploading/).waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await panelOf(page).getByText('Uploading 1 file').waitFor();
    await signOut();
    await question.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email').waitFor();
    await returnPage(page);
  });

  it('pauses for all files when the store rejects them, and continues when it is fixed', async () => {
    const { page, assets } = await ownLibrary();
    const files = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => fileOnDisk(`refused/${name}.jpg`));
    const refuse = { status: 403, headers: { 'access-control-allow-origin': service.url } };
    const isPut = (url: URL) => url.searchParams.has('X-Amz-Signature');
    await page.route(isPut, (route) => route.fulfill(refuse));
    await pick(page, files);
    const panel = panelOf(page);
    await panel.getByText('Uploads stopped').waitFor();
    const cause = /^Storage rejects the upload \(403\)\. Storage credentials or bucket name are wrong/;
    await panel.getByText(cause).first().waitFor();
    await page.unrouteAll();

    await forbidUploads(service.bucket);
    await page.getByRole('button', { name: 'Try again' }).click();
    const blocked = `Cross-origin error. ${service.url} is missing from the bucket’s cross-origin policy`;
    await panel.getByText(blocked).first().waitFor();

    await allowUploadsFrom(service.bucket, service.url);
    // The panel closes soon after the last file.
    const uploaded = panel.getByText('6 files uploaded').waitFor();
    await Promise.all([uploaded, page.getByRole('button', { name: 'Try again' }).click()]);
    expect((await owner.get(assets)).body.total).toBe(6);
    await returnPage(page);
  });

  it('without storage settings explains what is missing', async () => {
    const bare = await withoutStorage();
    try {
      const { page } = await ownLibrary(bare);
      await pick(page, [fileOnDisk('unsettled.jpg')]);
      const cause = /^Storage settings are missing, or the API server was not restarted after they were set/;
      await panelOf(page).getByText(cause).first().waitFor();
      await returnPage(page);
    } finally {
      await bare.stop();
    }
  });
});

describe('A client who cannot upload', () => {
  const OPERATORS_WORDS =
    /server|restart|setting|credential|bucket|cross-origin|object store|database|diagnostics|STORAGE_/i;

  const clientPage = async (at = service) => {
    const person = await newPerson(owner, { role: 'client_manager', clientIds: [await newClient(owner)] });
    const page = await openAs(browser, at, person);
    await page.getByRole('button', { name: 'Upload', exact: true }).first().waitFor();
    return page;
  };
  const expectWordsForClients = async (page: Page) =>
    expect(await page.locator('body').innerText()).not.toMatch(OPERATORS_WORDS);

  it('because the store refuses the file is referred to the agency, with a request ID', async () => {
    const page = await clientPage();
    const refuse = { status: 403, headers: { 'access-control-allow-origin': service.url } };
    await page.route(
      (url) => url.searchParams.has('X-Amz-Signature'),
      (route) => route.fulfill(refuse),
    );
    await pick(page, [fileOnDisk('refused.jpg')]);
    const panel = panelOf(page);
    await panel
      .getByText(/^Files cannot be uploaded or shown.*contact your agency/)
      .first()
      .waitFor();
    await panel
      .getByText(/^Request ID \S+/)
      .first()
      .waitFor();
    await expectWordsForClients(page);
    await returnPage(page);
  });

  it('because of cross-origin rules is asked to check the connection', async () => {
    const page = await clientPage();
    await forbidUploads(service.bucket);
    await pick(page, [fileOnDisk('blocked.jpg')]);
    const panel = panelOf(page);
    await panel
      .getByText(/^.*Check your connection.*contact your agency/)
      .first()
      .waitFor();
    await panel
      .getByText(/^Request ID \S+/)
      .first()
      .waitFor();
    await expectWordsForClients(page);
    await allowUploadsFrom(service.bucket, service.url);
    await returnPage(page);
  });

  it('because storage is not configured learns that the library is safe', async () => {
    const bare = await withoutStorage();
    try {
      const page = await clientPage(bare);
      await page
        .getByRole('status')
        .getByText(/Your library is safe/)
        .waitFor();
      await pick(page, [fileOnDisk('unstored.jpg')]);
      const panel = panelOf(page);
      await panel
        .getByText(/^Files cannot be uploaded or shown.*contact your agency/)
        .first()
        .waitFor();
      await panel
        .getByText(/^Request ID \S+/)
        .first()
        .waitFor();
      await expectWordsForClients(page);
      await returnPage(page);
    } finally {
      await bare.stop();
    }
  });

  it('because the session cannot be opened is told to try again, or to contact the agency', async () => {
    const page = await clientPage();
    const problem = {
      code: 'permission_denied',
      title: 'You do not have permission for this',
      detail: 'The role client_manager does not have the permission assets:write.',
      requestId: 'request-4711',
    };
    await page.route('**/portal/assets/upload-session', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        json: { ...problem, status: 403 },
      }),
    );
    await pick(page, [fileOnDisk('denied.jpg')]);
    await panelOf(page)
      .getByText(/^Your account does not allow this.*contact your agency/)
      .first()
      .waitFor();
    expect(
      await panelOf(page)
        .getByText(/^Request ID/)
        .count(),
    ).toBe(0);
    await expectWordsForClients(page);
    await returnPage(page);
  });
});
