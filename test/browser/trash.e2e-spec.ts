import type { Browser, Locator, Page } from 'playwright-core';
import type { Api } from '../support/api/api.js';
import { startBrowser } from '../support/browser/browser.js';
import { eventually } from '../support/eventually.js';
import { atEachWidth, misplacedOn } from '../support/browser/layout.js';
import { Library } from '../support/api/library.js';
import { type Account, openAs, returnPage, startPages } from '../support/browser/pages.js';
import { newClient, newPerson, type Person } from '../support/api/people.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { OWNER, type Service } from '../support/services/service.js';
import { uniqueJpeg, Uploader } from '../support/api/uploads.js';

let service: Service;
let owner: Api;
let browser: Browser;
let page: Page;
let clientId: string;
let manager: Person;

beforeAll(async () => {
  service = await startPages();
  owner = await service.api.signIn(OWNER);
  browser = await startBrowser();
  clientId = await newClient(owner, 'Bakery');
  manager = await newPerson(owner, { role: 'client_manager', clientIds: [clientId] });
  const library = new Library(owner, `/admin/clients/${clientId}/assets`);
  const uploader = Uploader.admin(owner, clientId);
  const upload = async (title: string, folderId: string | null = null) => {
    const { assetId } = await uploader.upload(uniqueJpeg(), { title, folderId });
    await library.get(`/${assetId}/preview?size=thumb`);
    return assetId as string;
  };
  const bulk = async (assetIds: string[]) => library.post('/bulk', { assetIds, action: 'trash' });
  await library.delete(`/${await upload('Storefront')}`);
  await bulk([await upload('Bread'), await upload('Rolls'), await upload('Oven')]);
  const folderId = await library.folder('Autumn');
  for (let n = 0; n < 5; n++) await upload(`Window ${n}`, folderId);
  await library.delete('/folders', { folderId });
  await library.delete('/folders', { folderId: await library.folder('Empty') });
  await bulk(await seedAssets(service.databaseUrl, clientId, [{ title: 'Film' }]));
});
afterEach(() => returnPage(page));
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const openTrash = async (account: Account, path: string) =>
  (page = await openAs(browser, service, account, path));
const row = (name: RegExp) => page.getByRole('row', { name });
/** The pictures that have loaded, and the icons. */
const marksOf = (of: Locator) =>
  of
    .getByRole('cell')
    .first()
    .evaluate((cell: any) => ({
      pictures: [...cell.querySelectorAll('img')].filter((image) => image.naturalWidth > 0).length,
      icons: [...cell.querySelectorAll('svg')].map((icon) => icon.classList.item(1)),
    }));
const FOLDER = 'lucide-folder';
const FILE = 'lucide-file-image';

describe('The trash', () => {
  it.each([
    ['operators', () => openTrash(OWNER, `/clients/${clientId}/trash`)],
    ['clients', () => openTrash(manager, '/library/trash')],
  ])('shows %s pictures of what is in it', async (_who, open) => {
    await open();
    await eventually(async () => {
      expect(await marksOf(row(/^Storefront/))).toEqual({ pictures: 1, icons: [] });
      expect(await marksOf(row(/^Bread and 2 more/))).toEqual({ pictures: 3, icons: [] });
      expect(await marksOf(row(/^Autumn/))).toEqual({ pictures: 4, icons: [FOLDER] });
    });
    expect(await marksOf(row(/^Empty/))).toEqual({ pictures: 0, icons: [FOLDER] });
    expect(await marksOf(row(/^Film/))).toEqual({ pictures: 0, icons: [FILE] });
    const found: string[] = [];
    await atEachWidth(page, async (width) => {
      found.push(...(await misplacedOn(page, `${width} px`)));
      const { width: side, height } = (await row(/^Storefront/)
        .locator('img')
        .boundingBox())!;
      expect([side, height]).toEqual([48, 48]);
    });
    expect(found).toEqual([]);
  });

  it('shows an icon instead of a picture that cannot be loaded', async () => {
    await openTrash(OWNER, '/clients');
    await page.route('**/trash/*/preview', (route) => route.abort());
    await page.goto(`${service.url}/clients/${clientId}/trash`);
    await eventually(async () => {
      expect(await marksOf(row(/^Storefront/))).toEqual({ pictures: 0, icons: [FILE] });
      expect(await marksOf(row(/^Autumn/))).toEqual({ pictures: 0, icons: [FOLDER] });
      expect(await page.locator('main img').count()).toBe(0);
    });
  });
});
