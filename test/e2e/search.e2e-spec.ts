import { type Library, type LibraryService, sharedLibrary, type Json } from '../support/api/library.js';
import { expectProblem } from '../support/api/problems.js';
import { type SeedAsset, seedAssets } from '../support/database/seed-assets.js';

let running: LibraryService;
let library: Library;
const folders: Record<string, string> = {};

const ASSETS: Record<string, SeedAsset & { in?: string }> = {
  brulee: { title: 'Crème Brûlée', description: 'For the Été menu', in: 'A' },
  storefront: { title: 'Storefront at dawn', altText: 'A lit bakery window', tags: ['Façade'], in: 'A/B' },
  bread: { title: 'Sourdough', originalFilename: 'IMG_0042-final.JPG', tags: ['bread', 'rye 100%'] },
  tokyo: { title: '新東京駅のパン屋', description: '🍞 fresh' },
  seoul: { title: '서울 빵집' },
  greek: { title: 'ΟΔΟΣ Ερμού' },
  cyrillic: { title: 'До свидания' },
  german: { title: 'Straßenfest in Köln' },
  percent: { title: "O'Neill & Sons: 50%_off (draft)" },
};

describe('Search', () => {
  beforeAll(async () => {
    running = await sharedLibrary();
    library = running.admin;
    folders['A'] = await library.folder('A');
    folders['A/B'] = await library.folder('B', folders['A']);
    folders['C'] = await library.folder('C');
    const rows = Object.values(ASSETS).map(({ in: place, ...asset }) => ({
      ...asset,
      folderId: place ? folders[place]! : null,
    }));
    const ids = await seedAssets(running.service.databaseUrl, running.clientId, rows);
    Object.keys(ASSETS).forEach((name, index) => names.set(ids[index]!, name));
  });

  const names = new Map<string, string>();

  async function find(q: string, folder?: string): Promise<string[]> {
    const parameters = new URLSearchParams({ q, ...(folder ? { folderId: folders[folder]! } : {}) });
    const { status, body } = await library.get(`?${parameters.toString()}`);
    expect({ q, status, total: body.total }).toEqual({ q, status: 200, total: body.assets.length });
    return body.assets.map(({ assetId }: Json) => names.get(assetId)).sort();
  }

  it.each([
    ['a whole word of the title', 'Storefront', ['storefront']],
    ['the beginning of a word', 'storef', ['storefront']],
    ['the middle of a word', 'refro', ['storefront']],
    ['the end of a word', 'dough', ['bread']],
    ['the description', 'menu', ['brulee']],
    ['the alternative text', 'bakery', ['storefront']],
    ['a tag', 'façade', ['storefront']],
    ['the file name', 'img_0042', ['bread']],
    ['a part of the file name', '0042-final.jpg', ['bread']],
    ['other case', 'sTOREFRONT', ['storefront']],
    ['no accents', 'creme brulee', ['brulee']],
    ['accents where there are none', 'sòurdóugh', ['bread']],
    ['decomposed accents', 'bru\u0302le\u0301e', ['brulee']],
    ['two words in any order', 'dawn storefront', ['storefront']],
    ['words of several fields', 'dawn bakery facade', ['storefront']],
    ['words that do not occur together', 'dawn sourdough', []],
    ['one letter, at the beginning of a word', 'd', ['cyrillic', 'percent', 'storefront'].slice(1)],
    ['two letters, at the beginning of a word', 'ry', ['bread']],
    ['two letters, inside a word only', 'ok', []],
    ['Japanese, two characters inside', '東京', ['tokyo']],
    ['Japanese, one character', '駅', ['tokyo']],
    ['Korean', '빵집', ['seoul']],
    ['Greek in capitals', 'οδος', ['greek']],
    ['Cyrillic, short', 'до', ['cyrillic']],
    ['an umlaut', 'koln', ['german']],
    ['an emoji', '🍞', ['tokyo']],
    ['full-width letters', 'ｄａｗｎ', ['storefront']],
    ['punctuation around words', '"(sourdough)"', ['bread']],
    ['an apostrophe', "o'neill", ['percent']],
    ['what LIKE would take as a wildcard', 'sou%gh', []],
    ['what LIKE would take as any character', 'sourdo_gh', []],
    ['what a tsquery would take as an operator', 'sourdough | dawn', []],
    ['what a tsquery would take as a negation', '!sourdough', ['bread']],
    ['what SQL would take as an end', "'; DROP TABLE assets; --", []],
  ])('finds by %s', async (_what, q, expected) => {
    expect(await find(q)).toEqual(expected);
  });

  it('looks in the folder and below, and at the top level everywhere', async () => {
    expect(await find('e')).toEqual(expect.arrayContaining(['brulee']));
    expect(await find('dawn', 'A')).toEqual(['storefront']);
    expect(await find('dawn', 'A/B')).toEqual(['storefront']);
    expect(await find('dawn', 'C')).toEqual([]);
    expect(await find('brulee', 'A/B')).toEqual([]);
  });

  it('treats a query without any word as no query', async () => {
    const plain = (await library.get()).body;
    for (const q of ['', ' ', '!?', '%', '_', '"', '\\', '()&|:*'])
      expect((await library.get(`?q=${encodeURIComponent(q)}`)).body).toEqual(plain);
  });

  it('combines with filters, sorts and pages', async () => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      title: `Needle ${index}`,
      folderId: [folders['A']!, folders['C']!, null][index % 3]!,
      tags: index % 2 ? ['odd'] : [],
      allowedSurfaces: index % 5 ? [] : ['gbp'],
      sizeBytes: 100 + (index % 4),
    }));
    const ids = await seedAssets(running.service.databaseUrl, running.clientId, many);
    for (const sort of ['newest', 'oldest', 'title', 'size']) {
      const found = await library.listAll(`q=needle&limit=4&sort=${sort}`);
      expect(found.map(({ assetId }) => assetId).sort()).toEqual([...ids].sort());
    }
    const filtered = await library.listAll('q=needle&tags=odd&surface=website&limit=4');
    const expected = ids.filter((_, index) => index % 2 && index % 5);
    expect(filtered.map(({ assetId }) => assetId).sort()).toEqual(expected.sort());
  });

  it('shows a change immediately: new text is found, old text is not', async () => {
    const [assetId] = await seedAssets(running.service.databaseUrl, running.clientId, [{ title: 'Before' }]);
    const changes: [Record<string, unknown>, string][] = [
      [{ title: 'Zanzibar' }, 'zanzibar'],
      [{ description: 'Ytterbium' }, 'ytterb'],
      [{ altText: 'Xylophone' }, 'lopho'],
      [{ tags: ['Wunderkammer'] }, 'wunder'],
    ];
    for (const [change, q] of changes) {
      await library.patch(`/${assetId}`, change);
      expect((await running.portal.get(`?q=${q}`)).body.assets).toMatchObject([{ assetId, ...change }]);
    }
    await library.patch(`/${assetId}`, { title: 'After' });
    expect(await find('zanzibar')).toEqual([]);
  });

  it('accepts up to 500 characters and ten words, and nothing longer', async () => {
    const sentence = 'storefront at dawn a lit bakery window facade storefront dawn lit';
    expect(await find(sentence)).toEqual(['storefront']);
    expectProblem(await library.get(`?q=${'x'.repeat(501)}`), 400, 'validation_failed');
  });

  it('survives a word as long as a text may be', async () => {
    const [assetId] = await seedAssets(running.service.databaseUrl, running.clientId, [{ title: 'Long' }]);
    const description = `${'東'.repeat(1990)}京都`;
    expect((await library.patch(`/${assetId}`, { description })).status).toBe(200);
    const { body } = await library.get(`?q=${encodeURIComponent('東京都')}`);
    expect(body.assets).toMatchObject([{ assetId }]);
  });
});
