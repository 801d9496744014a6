import type { Browser, Locator, Page } from 'playwright-core';
import { expectAccessible } from '../support/browser/accessibility.js';
import type { Api } from '../support/api/api.js';
import { startBrowser } from '../support/browser/browser.js';
import { canPlay } from '../support/browser/in-page.js';
import { waitUntil, Library } from '../support/api/library.js';
import { inTree, openAs, returnPage, startPages } from '../support/browser/pages.js';
import { newClient, newKey, newPerson } from '../support/api/people.js';
import { readZip } from '../support/api/read-zip.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { OWNER, type Service } from '../support/services/service.js';
import { SAMPLES, Uploader } from '../support/api/uploads.js';

/** The page's own. */
declare const getComputedStyle: any;

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

const SIDES = [
  ['admin', 'operator', 'viewer'],
  ['portal', 'client_manager', 'client_viewer'],
] as const;
/** Neither the middle of a card nor its check mark. */
const ON_CARD = { position: { x: 90, y: 70 } };

const card = (page: Page, title: string) => page.getByRole('row', { name: title, exact: true });
/** Not a toast, which is also an alert dialog. */
const dialog = (page: Page) =>
  page.locator(':is([role=dialog], [role=alertdialog]):not([role=region] *):visible').last();
const toast = (page: Page, text: string | RegExp) => page.getByRole('alertdialog').filter({ hasText: text });

/** Between the folders and the details, covering neither. */
async function expectInMiddleOfContent(page: Page, what: Locator): Promise<void> {
  const content = (await page.getByRole('main').boundingBox())!;
  const box = (await what.boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(content.x);
  expect(box.x + box.width / 2).toBeCloseTo(content.x + content.width / 2, -1);
}

async function openDetails(page: Page, title: string): Promise<Locator> {
  await card(page, title).click(ON_CARD);
  const details = page.getByRole('complementary', { name: 'Details' });
  if (!(await details.isVisible())) await page.keyboard.press('i');
  await details.getByRole('heading', { name: 'Alt text' }).waitFor();
  return details;
}

describe.each(SIDES)('The library on the %s side', (side, editorRole, viewerRole) => {
  let page: Page;
  let library: Library;
  let clientId: string;
  const assetNamed = async (title: string) =>
    (await library.listAll('below=true')).find((asset) => asset.title === title);
  const goHome = async () => {
    await inTree(page, 'Library').click();
    await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor();
  };

  beforeAll(async () => {
    clientId = await newClient(owner);
    const editor = await newPerson(owner, { role: editorRole, clientIds: [clientId] });
    library = new Library(
      editor.api,
      side === 'admin' ? `/admin/clients/${clientId}/assets` : '/portal/assets',
    );
    const uploader = Uploader.admin(owner, clientId);
    await uploader.upload(SAMPLES.jpeg, { title: 'Storefront' });
    await uploader.upload(SAMPLES.heic, { title: 'Wheat field' });
    await uploader.upload(SAMPLES.mp4, { title: 'Steam' });
    const folderId = await library.folder('Archive');
    const titles = Array.from({ length: 8 }, (_, index) => ({ title: `Picture ${index + 1}`, folderId }));
    await seedAssets(service.databaseUrl, clientId, titles);
    await library.folder('Campaigns');
    page = await openAs(browser, service, editor);
    page.setDefaultTimeout(15_000);
    await card(page, 'Storefront').waitFor();
  });
  afterAll(() => page && returnPage(page));
  // What one test leaves open must not affect the next.
  afterEach(async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });

  it('renames in place: click, type, Enter', async () => {
    await card(page, 'Storefront').getByText('Storefront').click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Storefront at dawn');
    await page.keyboard.press('Enter');
    await card(page, 'Storefront at dawn').waitFor();
    await waitUntil(async () => (await assetNamed('Storefront at dawn')) !== undefined, 'the title is saved');
    expect(await card(page, 'Storefront at dawn').evaluate((element) => element.matches(':focus'))).toBe(
      true,
    );
  });

  it('shows both texts when someone else changed the same field, and keeps the chosen one', async () => {
    const details = await openDetails(page, 'Storefront at dawn');
    const { assetId } = await assetNamed('Storefront at dawn');
    const path = `/admin/clients/${clientId}/assets/${assetId}`;
    let isFirst = true;
    await page.route(`**/assets/${assetId}`, async (route) => {
      // Someone else saves a moment earlier.
      if (route.request().method() === 'PATCH' && isFirst) {
        isFirst = false;
        await owner.patch(path, { description: 'Their words' });
      }
      await route.continue();
    });
    await details.getByRole('button', { name: /^Edit Description/ }).click();
    await page.getByRole('textbox', { name: 'Description' }).fill('My words');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Their words').waitFor();
    await dialog(page).getByText('My words').waitFor();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Use mine' }).click();
    await details.getByText('My words').waitFor();
    await waitUntil(
      async () => (await assetNamed('Storefront at dawn')).description === 'My words',
      'the chosen text is saved',
    );
  });

  it('moves nothing in the details when the picture arrives', async () => {
    let arrive = () => {};
    const arrival = new Promise<void>((resolve) => (arrive = resolve));
    await page.route('**/preview?size=small*', (route) => arrival.then(() => route.continue()));
    // One that the browser has not shown before.
    const details = await openDetails(page, 'Wheat field');
    const actions = details.getByRole('link', { name: 'Download', exact: true });
    const { y } = (await actions.boundingBox())!;
    const picture = details.getByRole('button', { name: /focal point/ }).locator('img');
    const isShown = () => picture.evaluate((image: any) => image.naturalWidth > 0);
    expect(await isShown()).toBe(false);
    arrive();
    await waitUntil(isShown, 'the picture is shown');
    expect((await actions.boundingBox())!.y).toBe(y);
    await page.keyboard.press('i');
  });

  it('sets where it may be used, and the focal point', async () => {
    const details = await openDetails(page, 'Storefront at dawn');
    await details.getByRole('button', { name: 'Social media', exact: true }).click();
    await details.getByRole('button', { name: 'Business Profile', exact: true }).click();
    await details.getByText('Only on: Website', { exact: true }).waitFor();
    const picture = details.getByRole('button', { name: /focal point/ }).first();
    const { width, height } = (await picture.boundingBox())!;
    await picture.click({ position: { x: width * 0.25, y: height * 0.75 } });
    await details.getByRole('button', { name: 'Clear the focal point' }).waitFor();
    await waitUntil(async () => (await assetNamed('Storefront at dawn')).focalPoint !== null, 'it is saved');
    const { allowedSurfaces, focalPoint } = await assetNamed('Storefront at dawn');
    expect(allowedSurfaces).toEqual(['website']);
    expect(focalPoint.x).toBeCloseTo(0.25, 1);
    expect(focalPoint.y).toBeCloseTo(0.75, 1);
    await expectAccessible(page);
    await details.getByRole('button', { name: /^Social media (Ready|After resizing|Doesn’t fit)/ }).click();
    await details.getByRole('button', { name: 'Preview the resized copy' }).click();
    const fitted = details.getByRole('img', { name: /^Resized copy/ });
    await fitted.waitFor();
    await waitUntil(() => fitted.evaluate((image: any) => image.naturalWidth > 0), 'the rendition is shown');
    await page.keyboard.press('i');
  });

  it('shows HEIC like the rest', async () => {
    const picture = card(page, 'Wheat field').locator('img');
    await waitUntil(
      () => picture.evaluate((image: any) => image.complete && image.naturalWidth > 0),
      'the picture is shown',
    );
    // The sky is blue, the field below is not.
    const [top, bottom] = await picture.evaluate((image: any) => {
      const canvas = image.ownerDocument.createElement('canvas');
      [canvas.width, canvas.height] = [16, 12];
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0, 16, 12);
      return [0, 11].map((y) => [...context.getImageData(8, y, 1, 1).data]);
    });
    expect(Math.abs(top![2]! - bottom![2]!)).toBeGreaterThan(20);
  });

  it('plays a video in the lightbox, seeks, and returns to the same card', async () => {
    await card(page, 'Steam').dblclick(ON_CARD);
    const video = page.locator('video').first();
    await video.waitFor();
    if (await canPlay(page, 'avc1.42E01E')) {
      const time = await video.evaluate(
        (film: any) =>
          new Promise<number>((resolve) => {
            film.addEventListener('seeked', () => resolve(film.currentTime), { once: true });
            const seek = () => (film.currentTime = film.duration / 2);
            if (film.readyState > 0) seek();
            else film.addEventListener('loadedmetadata', seek, { once: true });
          }),
      );
      expect(time).toBeGreaterThan(0.5);
    }
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await waitUntil(
      () => card(page, 'Steam').evaluate((element) => element.matches(':focus')),
      'the card has the focus again',
    );
  });

  it('creates, renames and moves a folder, and does not rename Social', async () => {
    await page.getByRole('button', { name: 'New folder' }).click();
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Autumn');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await inTree(page, 'Autumn').waitFor();
    // A closed dialog gives the focus back to what opened it.
    await page.locator('[aria-label="New folder"]:focus').waitFor();

    await inTree(page, 'Autumn').press('F2');
    await page.getByRole('textbox', { name: 'Folder name' }).fill('Autumn 2026');
    await page.keyboard.press('Enter');
    await inTree(page, 'Autumn 2026').waitFor();

    await inTree(page, 'Autumn 2026').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Move to…' }).click();
    await expectAccessible(page);
    await dialog(page).getByRole('option', { name: 'Campaigns' }).click();
    await dialog(page).getByRole('button', { name: 'Move here' }).click();
    const moved = toast(page, 'Autumn 2026 moved to Campaigns');
    await moved.waitFor();
    await expectInMiddleOfContent(page, moved);
    await waitUntil(async () => (await library.tree()).has('Campaigns/Autumn 2026'), 'it is moved');

    await inTree(page, 'Social').press('F2');
    await toast(page, 'Social cannot be changed').waitFor();
    expect(await page.getByRole('textbox', { name: 'Folder name' }).count()).toBe(0);
  });

  it('shows no toast over the buttons of a dialog', async () => {
    const size = page.viewportSize()!;
    await page.setViewportSize({ ...size, height: 640 });
    await inTree(page, 'Social').press('F2');
    await inTree(page, 'Archive').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Move to…' }).click();
    await dialog(page).getByRole('option', { name: 'Campaigns', exact: true }).click();
    const button = dialog(page).getByRole('button', { name: 'Move here' });
    await button.click({ trial: true, timeout: 3_000 });
    await page.setViewportSize({ width: 390, height: 640 });
    await button.click({ trial: true, timeout: 3_000 });
    expect(await toast(page, 'Social cannot be changed').first().isVisible()).toBe(true);
    await page.setViewportSize(size);
  });

  it('moves several assets together, and undoes it', async () => {
    await inTree(page, 'Archive').click();
    await card(page, 'Picture 1').waitFor();
    await page
      .getByRole('row', { name: /^Picture/ })
      .first()
      .click(ON_CARD);
    await page.keyboard.press('Shift+End');
    await page.getByText('8 selected').waitFor();
    await expectInMiddleOfContent(page, page.getByRole('toolbar', { name: 'Selected assets' }));
    await page
      .getByRole('toolbar', { name: 'Selected assets' })
      .getByRole('button', { name: 'Move to…' })
      .click();
    await dialog(page).getByRole('option', { name: 'Campaigns', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Move here' }).click();
    await page.getByText('This folder is empty').waitFor();
    await waitUntil(async () => (await library.tree()).get('Campaigns').assets === 8, 'they are moved');
    await toast(page, '8 assets moved to Campaigns').getByRole('button', { name: 'Undo' }).click();
    await card(page, 'Picture 1').waitFor();
    await waitUntil(async () => (await library.tree()).get('Archive').assets === 8, 'they are back');
  });

  it('moves all of a large folder, including what was never scrolled into view', async () => {
    const folderId = await library.folder('Large');
    await seedAssets(
      service.databaseUrl,
      clientId,
      Array.from({ length: 1_300 }, (_, index) => ({ title: `Large ${index + 1}`, folderId })),
    );
    await page.reload();
    await inTree(page, 'Large').click();
    await page
      .getByRole('row', { name: /^Large \d/ })
      .first()
      .click(ON_CARD);
    await page.keyboard.press('Control+a');
    await page.getByText('1,300 selected').waitFor();
    await page
      .getByRole('toolbar', { name: 'Selected assets' })
      .getByRole('button', { name: 'Move to…' })
      .click();
    await dialog(page).getByRole('option', { name: 'Campaigns', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Move here' }).click();
    await waitUntil(
      async () => (await library.tree()).get('Campaigns').assets === 1_300,
      'they are moved',
      30,
    );
    await toast(page, '1,300 assets moved to Campaigns').getByRole('button', { name: 'Undo' }).click();
    await waitUntil(async () => (await library.tree()).get('Large').assets === 1_300, 'they are back', 30);
  });

  it('drags an asset onto a folder of the tree', async () => {
    await inTree(page, 'Archive').click();
    await card(page, 'Picture 2').waitFor();
    const from = (await card(page, 'Picture 2').boundingBox())!;
    const to = (await inTree(page, 'Campaigns').first().boundingBox())!;
    await page.mouse.move(from.x + 50, from.y + 40);
    await page.mouse.down();
    await page.mouse.move(from.x + 70, from.y + 60, { steps: 4 });
    // The last of several moves may be too late for the browser's own drag, so two more follow.
    for (const x of [90, 94, 98]) await page.mouse.move(to.x + x, to.y + to.height / 2, { steps: 4 });
    await inTree(page, 'Campaigns').and(page.locator('[data-drop-target]')).waitFor();
    await page.mouse.up();
    await card(page, 'Picture 2').waitFor({ state: 'detached' });
    await toast(page, /^Moved to Campaigns/).waitFor();
    await page.keyboard.press('Control+z');
    await card(page, 'Picture 2').waitFor();
  });

  it('moves to the trash, lists it there and restores it', async () => {
    await inTree(page, 'Archive').click();
    await card(page, 'Picture 3').click(ON_CARD);
    await page.keyboard.press('Delete');
    await card(page, 'Picture 3').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Trash' }).last().click();
    await page.getByRole('heading', { name: 'Trash', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Empty trash' }).click();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Restore Picture 3' }).click();
    await page.getByText('The trash is empty').waitFor();
    await page.getByRole('link', { name: 'Back to assets' }).click();
    await inTree(page, 'Archive').click();
    await card(page, 'Picture 3').waitFor();
  });

  it('shows where an asset is used before trashing it', async () => {
    const { key } = await newKey(owner, { role: 'agent', clientIds: [clientId] });
    const { assetId, assetRef } = await assetNamed('Picture 5');
    const post = { featuredAssetRef: assetRef, title: 'Five ideas for autumn' };
    await service.api.as(key).put(`/agents/clients/${clientId}/references/seo_post/${side}`, post);
    await inTree(page, 'Archive').click();
    await card(page, 'Picture 5').click(ON_CARD);
    await page.keyboard.press('Delete');
    const question = page.getByRole('alertdialog', { name: 'In use' });
    await question.getByText('Five ideas for autumn').waitFor();
    await expectAccessible(page);
    const force = question.getByRole('button', { name: 'Move to trash anyway' });
    if (side === 'admin') {
      await force.click();
      await waitUntil(async () => (await library.get(`/${assetId}`)).status === 404, 'it is in the trash');
      await library.post('/trash/restore', { batchId: (await library.get('/trash')).body.items[0].batchId });
    } else {
      expect(await force.count()).toBe(0);
      await question.getByRole('button', { name: 'Keep' }).click();
      await question.waitFor({ state: 'hidden' });
    }
    await card(page, 'Picture 5').waitFor();
  });

  it('downloads a folder as a zip archive', async () => {
    const folderId = await library.folder('For the press');
    const { assetId } = await assetNamed('Storefront at dawn');
    await library.patch(`/${assetId}`, { folderId });
    await page.reload();
    await inTree(page, 'For the press').click({ button: 'right' });
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download as zip' }).click();
    const entries = readZip(await (await download).path());
    expect(entries.map(({ name }) => name)).toContain('For the press/storefront.jpg');
  });

  it('works with the keyboard alone: rename, move and delete', async () => {
    await inTree(page, 'Archive').click();
    await card(page, 'Picture 4').waitFor();
    await page
      .getByRole('row', { name: /^Picture/ })
      .first()
      .focus();
    for (
      let steps = 0;
      !(await card(page, 'Picture 4').evaluate((element) => element.matches(':focus')));
      steps++
    ) {
      if (steps > 8) throw new Error('The arrow keys do not reach the card');
      await page.keyboard.press('ArrowRight');
    }
    // The ring around the picture is the only one.
    expect(await card(page, 'Picture 4').evaluate((element) => getComputedStyle(element).outlineStyle)).toBe(
      'none',
    );
    await page.keyboard.press('F2');
    await page.keyboard.type('Renamed by keyboard');
    await page.keyboard.press('Enter');
    await card(page, 'Renamed by keyboard').waitFor();
    await waitUntil(
      () => card(page, 'Renamed by keyboard').evaluate((element) => element.matches(':focus')),
      'the card keeps the focus',
    );
    await page.keyboard.press('m');
    await dialog(page).getByRole('searchbox').waitFor();
    await page.keyboard.type('Campaigns');
    await page.keyboard.press('Enter');
    const move = dialog(page).getByRole('button', { name: 'Move here' });
    for (let steps = 0; !(await move.evaluate((element) => element.matches(':focus'))); steps++) {
      if (steps > 6) throw new Error('The button cannot be reached');
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await card(page, 'Renamed by keyboard').waitFor({ state: 'detached' });
    await waitUntil(async () => (await library.tree()).get('Campaigns').assets === 1, 'it is moved');
    await page
      .getByRole('row', { name: /^Picture/ })
      .first()
      .focus();
    await page.keyboard.press('Delete');
    await toast(page, 'Moved to trash').waitFor();
    await waitUntil(async () => (await library.tree()).get('Archive').assets === 6, 'it is in the trash');
  });

  it('searches while typing and keeps filters in the URL', async () => {
    await goHome();
    await page.keyboard.press('/');
    await page.keyboard.type('wheat');
    await page.waitForURL(/q=wheat/);
    await page.getByText('1 result in the whole library').waitFor();
    await page.getByRole('button', { name: 'Filters' }).click();
    await dialog(page).getByRole('button', { name: 'HEIC' }).click();
    await page.waitForURL(/type=image/);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.reload();
    await card(page, 'Wheat field').waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await card(page, 'Steam').waitFor();
    await expectAccessible(page);
  });

  it('shows a viewer no controls that change anything', async () => {
    const viewer = await newPerson(owner, { role: viewerRole, clientIds: [clientId] });
    const other = await openAs(browser, service, viewer);
    await card(other, 'Steam').waitFor();
    for (const name of ['Upload', 'New folder', 'Add alt text'])
      expect(await other.getByRole('button', { name }).count()).toBe(0);
    await card(other, 'Steam').getByText('Steam').click();
    await other.keyboard.press('F2');
    await other.keyboard.press('Delete');
    expect(await other.getByRole('textbox', { name: 'Title' }).count()).toBe(0);
    await card(other, 'Steam').click({ ...ON_CARD, button: 'right' });
    await other.getByRole('menuitem').first().waitFor();
    const offered = await other.getByRole('menuitem').allInnerTexts();
    expect(offered.map((text) => text.split('\n')[0])).toEqual([
      'Open',
      'Details',
      'Download',
      'Copy link',
      'Copy asset ID',
    ]);
    await returnPage(other);
    const { status } = await viewer.api.patch(
      `${side === 'admin' ? `/admin/clients/${clientId}/assets` : '/portal/assets'}/${(await assetNamed('Steam')).assetId}`,
      { title: 'Forced' },
    );
    expect(status).toBe(403);
  });
});
