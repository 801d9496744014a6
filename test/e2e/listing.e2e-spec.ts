import fc from 'fast-check';
import { naturalKey } from '../../src/common/natural-order.js';
import { Library, type LibraryService, newLibrary, startLibrary, type Json } from '../support/api/library.js';
import { newKey, newPerson } from '../support/api/people.js';
import { expectProblem, pathsOf } from '../support/api/problems.js';
import { type SeedAsset, seedAssets } from '../support/database/seed-assets.js';
import { query, type Service } from '../support/services/service.js';

const COUNT = 57;
const MIME_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'video/mp4'];
const SORTS = ['newest', 'oldest', 'title', 'titleDescending', 'size', 'smallest'];
const PEOPLE = ['0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b11', '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b12'];
const SHAPES = [
  [4000, 3000],
  [1080, 1350],
  [1080, 1080],
  [1000, 1020],
  [1000, 1021],
] as const;
const DAY = 86_400_000;
const SURFACE_SETS = [[], ['website'], ['social', 'gbp'], ['website', 'social', 'gbp']];

let running: LibraryService<Service>;
let library: Library;
let folderId: string;
/** The seeded assets, with their ids. */
let known: Required<
  Omit<SeedAsset, 'assetId' | 'attempt' | 'folderId' | 'description' | 'originalFilename'>
>[];
let ids: string[];

beforeAll(async () => {
  running = await startLibrary();
  library = running.admin;
  folderId = await library.folder('Folder');
  known = Array.from({ length: COUNT }, (_, index) => ({
    // Many share a title, a size and a time, so that only the id tells them apart.
    title: `Title ${String.fromCharCode(65 + (index % 5))}${index % 2 ? 'x' : 'X'}`,
    tags: ['all', ...(index % 2 ? ['odd'] : []), ...(index % 3 ? [] : ['third'])],
    allowedSurfaces: SURFACE_SETS[index % 4]!,
    mimeType: MIME_TYPES[index % 5]!,
    sizeBytes: 1000 + (index % 7),
    createdAt: new Date(Date.UTC(2026, 0, 1) + (index % 11) * 1).toISOString(),
    takenAt: index % 4 ? new Date(Date.UTC(2025, 0, 1) + (index % 9) * DAY).toISOString() : null,
    altText: index % 3 ? '' : 'A picture',
    width: SHAPES[index % 5]![0],
    height: SHAPES[index % 5]![1],
    sha256: `hash ${index < 8 ? index % 4 : index}`,
    createdByKind: index % 6 ? (index % 2 ? ('portal_user' as const) : ('user' as const)) : null,
    createdById: index % 6 ? PEOPLE[index % 2]! : null,
    fitFor: ['x', index % 2 ? 'x:ready' : 'x:fixable'],
  }));
  const rows = known.map((asset) => ({ ...asset, folderId }));
  ids = await seedAssets(running.service.databaseUrl, running.clientId, rows);
});
afterAll(() => running?.service.stop());

const idsOf = (assets: Json[]): string[] => assets.map(({ assetId }) => assetId);

describe('paging', () => {
  it.each(SORTS)('by %s gives every asset once, in order', async (sort) => {
    const assets = await library.listAll(`folderId=${folderId}&sort=${sort}&limit=10`);
    expect(new Set(idsOf(assets))).toEqual(new Set(ids));
    expect(assets).toHaveLength(COUNT);
    const keyOf: Record<string, (asset: Json) => string | number> = {
      oldest: (asset) => Date.parse(asset.createdAt),
      title: (asset) => naturalKey(asset.title),
      smallest: (asset) => asset.sizeBytes,
    };
    const opposite: Record<string, string> = { newest: 'oldest', titleDescending: 'title', size: 'smallest' };
    const keys = assets.map(keyOf[opposite[sort] ?? sort]!);
    if (sort in opposite) keys.reverse();
    expect(keys).toEqual([...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
  });

  it.each(['', '&tags=all', '&below=true', '&q=title', '&mimeType=image/png', '&used=false'])(
    'can begin anywhere in the list%s',
    async (filter) => {
      for (const sort of SORTS) {
        const list = `folderId=${folderId}&sort=${sort}${filter}`;
        const all = idsOf(await library.listAll(`${list}&limit=200`));
        for (const offset of [0, 1, 7, all.length - 1, all.length, all.length + 5]) {
          const { body } = await library.get(`?${list}&limit=3&offset=${offset}`);
          expect(idsOf(body.assets)).toEqual(all.slice(offset, offset + 3));
          expect(body).toMatchObject({ total: all.length, totalIsExact: true });
          if (body.nextCursor === null) continue;
          const next = await library.get(`?${list}&limit=2&cursor=${body.nextCursor}`);
          expect(idsOf(next.body.assets)).toEqual(all.slice(offset + 3, offset + 5));
        }
      }
    },
  );

  it('can begin anywhere in the whole library, and only shows folders at the beginning', async () => {
    const all = idsOf(await library.listAll('below=true&limit=200'));
    const { body } = await library.get('?below=true&limit=4&offset=20');
    expect(idsOf(body.assets)).toEqual(all.slice(20, 24));
    expect(body.folders).toEqual([]);
    expect((await library.get('?offset=0')).body.folders).not.toEqual([]);
  });

  it('takes an offset or a cursor, not both, and none beyond the bound', async () => {
    const { nextCursor } = (await library.get(`?folderId=${folderId}&limit=1`)).body;
    for (const [query, path] of [
      [`cursor=${nextCursor}&offset=1`, 'offset'],
      [`cursor=${nextCursor}&offset=0`, 'offset'],
      ['offset=200001', 'offset'],
      ['offset=-1', 'offset'],
      ['offset=1.5', 'offset'],
    ]) {
      const response = await library.get(`?folderId=${folderId}&${query}`);
      expectProblem(response, 400, 'validation_failed');
      expect(new Set(pathsOf(response))).toEqual(new Set([path]));
    }
  });

  it('returns each existing asset exactly once, whatever is added and trashed meanwhile', async () => {
    for (const sort of SORTS) {
      const place = await library.folder(`Busy ${sort}`);
      const seed = (count: number) =>
        seedAssets(
          running.service.databaseUrl,
          running.clientId,
          Array.from({ length: count }, (_, index) => ({
            folderId: place,
            title: `T${index % 3}`,
            sizeBytes: 1000 + (index % 3),
            createdAt: new Date(Date.UTC(2026, 0, 1) + (index % 5)).toISOString(),
          })),
        );
      const there = await seed(20);
      const gone = there.slice(0, 3);
      const seen: string[] = [];
      let cursor = '';
      do {
        const { body } = await library.get(`?folderId=${place}&sort=${sort}&limit=4${cursor}`);
        seen.push(...idsOf(body.assets));
        await seed(3);
        if (cursor === '') await library.post('/bulk', { assetIds: gone, action: 'trash' });
        cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
      } while (cursor !== '' && seen.length < 500);
      expect(new Set(seen).size).toBe(seen.length);
      const expected = there.filter((id) => !gone.includes(id));
      expect(expected.filter((id) => !seen.includes(id))).toEqual([]);
    }
  });

  it('returns the total, and the folders only on the first page', async () => {
    const inside = await library.folder('Inside', folderId);
    const first = (await library.get(`?folderId=${folderId}&limit=10`)).body;
    expect(first).toMatchObject({ total: COUNT, folders: [{ folderId: inside }] });
    expect(first.assets).toHaveLength(10);
    const second = (await library.get(`?folderId=${folderId}&limit=10&cursor=${first.nextCursor}`)).body;
    expect(second).toMatchObject({ total: COUNT, folders: [], folder: { folderId } });
  });

  it('returns 50 by default, and at most 200', async () => {
    expect((await library.get(`?folderId=${folderId}`)).body.assets).toHaveLength(50);
    expect((await library.get(`?folderId=${folderId}&limit=200`)).body).toMatchObject({ nextCursor: null });
    for (const limit of ['0', '201', '-1', '1.5', 'ten', ''])
      expectProblem(await library.get(`?limit=${limit}`), 400, 'validation_failed');
  });

  it('continues after the longest allowed title, in any script', async () => {
    const place = await library.folder('Long titles');
    const title = '\u{20000}'.repeat(500);
    await seedAssets(
      running.service.databaseUrl,
      running.clientId,
      Array.from({ length: 3 }, () => ({ folderId: place, title })),
    );
    expect(await library.listAll(`folderId=${place}&sort=title&limit=1`)).toHaveLength(3);
  });

  it('ends without a cursor when the last page is full', async () => {
    const { body } = await library.get(`?folderId=${folderId}&limit=${COUNT}`);
    expect(body.assets).toHaveLength(COUNT);
    expect(body.nextCursor).toBeNull();
  });

  it('pages the top level as it does a folder', async () => {
    const top = await seedAssets(
      running.service.databaseUrl,
      running.clientId,
      Array.from({ length: 9 }, () => ({ createdAt: '2026-01-01T00:00:00Z' })),
    );
    for (const sort of SORTS)
      expect(idsOf(await library.listAll(`sort=${sort}&limit=2`)).sort()).toEqual([...top].sort());
  });

  it('rejects a cursor of another sort', async () => {
    const { body } = await library.get(`?folderId=${folderId}&limit=5&sort=newest`);
    for (const sort of SORTS.slice(1)) {
      const response = await library.get(`?folderId=${folderId}&sort=${sort}&cursor=${body.nextCursor}`);
      expectProblem(response, 400, 'validation_failed');
      expect(pathsOf(response)).toEqual(['cursor']);
    }
  });

  const id = '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10';
  it.each([
    ['rubbish', 'newest', 'rubbish'],
    ['empty', 'newest', ''],
    ['no list', 'newest', { sort: 'newest' }],
    ['no id', 'newest', ['newest', '2026-01-01T00:00:00.000Z', 'x']],
    ['a time only Node can read', 'newest', ['newest', 'Thu, 01 Jan 2026 (noon)', id]],
    ['a year that Postgres writes differently', 'newest', ['newest', '+275760-09-13T00:00:00.000Z', id]],
    ['a day that does not exist', 'oldest', ['oldest', '2026-13-45T00:00:00.000Z', id]],
    ['an invalid size', 'size', ['size', '1; DROP TABLE assets', id]],
    ['an infinite size', 'size', ['size', '9'.repeat(40), id]],
    ['a NUL character', 'title', ['title', 'a\u0000b', id]],
    ['half a character', 'title', ['title', '\ud800', id]],
    ['a number for a title', 'title', ['title', 5, id]],
  ])('rejects a cursor with %s', async (_what, sort, position) => {
    const cursor =
      typeof position === 'string' ? position : Buffer.from(JSON.stringify(position)).toString('base64url');
    const response = await library.get(`?folderId=${folderId}&sort=${sort}&cursor=${cursor}`);
    expectProblem(response, 400, 'validation_failed');
    expect(pathsOf(response)).toEqual(['cursor']);
  });
});

describe('filters', () => {
  /** What each filter should return according to the contract. */
  const matches = (asset: (typeof known)[number], filter: Record<string, string>) =>
    (filter['tags'] ?? '')
      .split(',')
      .filter(Boolean)
      .every((tag) => asset.tags.includes(tag)) &&
    (!filter['surface'] ||
      asset.allowedSurfaces.length === 0 ||
      asset.allowedSurfaces.includes(filter['surface'])) &&
    (!filter['mimeType'] || asset.mimeType === filter['mimeType']) &&
    Object.entries(filter).every(([name, value]) => value === '' || (MATCHES[name]?.(asset, value) ?? true));

  type Known = (typeof known)[number];
  const time = (text: string | null) => (text === null ? NaN : Date.parse(text));
  const MATCHES: Record<string, (asset: Known, value: string) => boolean> = {
    createdBy: ({ createdById, createdByKind }, value) =>
      value === 'agency' ? createdByKind === 'user' : createdById === value,
    missingAltText: ({ altText }, value) => (altText === '') === (value === 'true'),
    createdFrom: ({ createdAt }, value) => time(createdAt) >= time(value),
    createdTo: ({ createdAt }, value) => time(createdAt) < time(value),
    takenFrom: ({ takenAt }, value) => time(takenAt) >= time(value),
    takenTo: ({ takenAt }, value) => time(takenAt) < time(value),
    orientation: ({ width, height }, value) =>
      value === (width > height * 1.02 ? 'landscape' : height > width * 1.02 ? 'portrait' : 'square'),
    minWidth: ({ width }, value) => width >= Number(value),
    minHeight: ({ height }, value) => height >= Number(value),
    duplicates: ({ sha256 }, value) =>
      known.filter((other) => other.sha256 === sha256).length > 1 === (value === 'true'),
    // `x` is a channel of the surface social.
    fitFor: ({ allowedSurfaces }) => allowedSurfaces.length === 0 || allowedSurfaces.includes('social'),
    fitVerdict: ({ fitFor }, value) => fitFor!.includes(`x:${value}`),
  };

  it.each<Record<string, string>>([
    { createdBy: PEOPLE[0]! },
    { createdBy: 'agency', missingAltText: 'true' },
    { createdBy: PEOPLE[1]!.toUpperCase() },
    { missingAltText: 'false', tags: 'odd' },
    { createdFrom: '2026-01-01T00:00:00.003Z', createdTo: '2026-01-01T00:00:00.007Z' },
    { createdFrom: '2026-01-01T01:00:00.005+01:00', orientation: 'landscape' },
    { createdTo: '2026-01-01T00:00:00.001Z' },
    { createdFrom: '2026-02-01', createdTo: '2026-01-01' },
    { takenFrom: '2025-01-03', takenTo: '2025-01-06' },
    { takenTo: '2025-01-02', createdBy: PEOPLE[0]! },
    { orientation: 'portrait', minHeight: '1021' },
    { orientation: 'square', minWidth: '1000' },
    { minWidth: '1080', minHeight: '1080', mimeType: 'image/png' },
    { minWidth: '4001' },
    { duplicates: 'true' },
    { duplicates: 'true', tags: 'odd', minWidth: '1080' },
    { duplicates: 'false', missingAltText: 'true' },
    { fitFor: 'x', fitVerdict: 'ready' },
    { fitFor: 'x', fitVerdict: 'fixable', createdBy: 'agency' },
  ])('return what they say, in every order and place: %j', async (filter) => {
    const expected = ids.filter((_, at) =>
      matches(known[at]!, { ...filter, createdBy: filter['createdBy']?.toLowerCase() ?? '' }),
    );
    for (const sort of SORTS)
      for (const place of [`folderId=${folderId}`, `folderId=${folderId}&below=true`, 'below=true']) {
        const tags = [...(filter['tags'] ? [filter['tags']] : []), 'all'].join(',');
        const parameters = `${place}&${new URLSearchParams({ ...filter, sort, limit: '11', tags }).toString()}`;
        expect(idsOf(await library.listAll(parameters)).sort()).toEqual([...expected].sort());
        expect((await library.get(`?${parameters}&offset=1`)).body.total).toBe(expected.length);
      }
  });

  const combinations = ['', 'odd', 'odd,third', 'all,none']
    .flatMap((tags) => ['', 'website', 'gbp'].map((surface) => ({ tags, surface })))
    .flatMap((filter) => ['', 'image/png', 'video/mp4'].map((mimeType) => ({ ...filter, mimeType })));

  it('combine, in pages and in counts', async () => {
    for (const [index, filter] of combinations.entries()) {
      const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
      const sort = SORTS[index % SORTS.length]!;
      const parameters = new URLSearchParams({ folderId, sort, limit: '7', ...given }).toString();
      const expected = ids.filter((_, at) => matches(known[at]!, given)).sort();
      expect({ filter, ids: idsOf(await library.listAll(parameters)).sort() }).toEqual({
        filter,
        ids: expected,
      });
      expect((await running.portal.get(`?${parameters}`)).body.total).toBe(expected.length);
    }
  });

  it('accept several tags as a list too', async () => {
    const repeated = await library.listAll(`folderId=${folderId}&tags=odd&tags=third`);
    const listed = await library.listAll(`folderId=${folderId}&tags=odd,%20third`);
    expect(idsOf(repeated)).toEqual(idsOf(listed));
    expect(repeated.length).toBeGreaterThan(0);
  });

  it.each([
    'sort=random',
    'surface=billboard',
    'mimeType=image/gif',
    'folderId=nowhere',
    'folderId=',
    'colour=red',
    'sort=newest&sort=oldest',
    `tags=${Array.from({ length: 51 }, (_, index) => `t${index}`).join(',')}`,
    `q=${'x'.repeat(501)}`,
    'createdBy=',
    'createdBy=somebody',
    'missingAltText=maybe',
    'duplicates=2',
    'createdFrom=yesterday',
    'createdFrom=2026-02-30T00:00:00Z',
    'createdTo=99999-01-01T00:00:00Z',
    'takenFrom=-271821-04-20T00:00:00Z',
    'takenTo=1969-12-31T23:59:59Z',
    'orientation=diagonal',
    'minWidth=0',
    'minWidth=1e3',
    'minHeight=99999999999',
    'fitVerdict=ready',
  ])('reject %.40s', async (parameters) => {
    expectProblem(await library.get(`?${parameters}`), 400, 'validation_failed');
  });

  it('only look at the folder itself', async () => {
    const parent = await library.folder('Parent');
    const child = await library.folder('Child', parent);
    await seedAssets(running.service.databaseUrl, running.clientId, [{ folderId: child, tags: ['deep'] }]);
    expect((await library.get(`?folderId=${parent}&tags=deep`)).body.total).toBe(0);
    expect((await library.get(`?folderId=${child}&tags=deep`)).body.total).toBe(1);
  });

  it('find no folder of another client, of the trash, or that never existed', async () => {
    const trashed = await library.folder('Trashed');
    await library.delete('/folders', { folderId: trashed });
    for (const id of [trashed, '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10'])
      expectProblem(await library.get(`?folderId=${id}`), 404, 'folder_not_found');
  });
});

describe('sort=title', () => {
  it('lists numbers by their value, without regard to case and accents, and folders likewise', async () => {
    const { admin, clientId } = await newLibrary(running.owner);
    const inOrder = ['Äpfel 2', 'apfel 10', 'Post 1', 'post 2', 'Post 02b', 'POST 10', 'Post 10a', 'Zebra'];
    const shuffled = inOrder.toSorted((a, b) => a.length - b.length);
    await seedAssets(
      running.service.databaseUrl,
      clientId,
      shuffled.map((title) => ({ title })),
    );
    const titles = async (sort: string) =>
      (await admin.listAll(`sort=${sort}&limit=3`)).map(({ title }) => title as string);
    expect(await titles('title')).toEqual(inOrder);
    expect(await titles('titleDescending')).toEqual(inOrder.toReversed());

    const parentId = await admin.folder('Parent');
    for (const name of shuffled) await admin.folder(name, parentId);
    const names = (folders: Json[]) => folders.map(({ name }) => name as string);
    expect(names((await admin.get(`?folderId=${parentId}`)).body.folders)).toEqual(inOrder);
    const { folders } = (await admin.get('/folders')).body;
    expect(names(folders.filter((folder: Json) => folder.parentId === parentId))).toEqual(inOrder);
  });

  it('follows a changed title', async () => {
    const { admin, clientId } = await newLibrary(running.owner);
    const [two, ten] = await seedAssets(running.service.databaseUrl, clientId, [
      { title: 'A 2' },
      { title: 'A 10' },
    ]);
    expect(idsOf(await admin.listAll('sort=title'))).toEqual([two, ten]);
    await admin.patch(`/${ten}`, { title: 'A 1' });
    expect(idsOf(await admin.listAll('sort=title'))).toEqual([ten, two]);
  });

  it('has the same key in the database and in the service, whatever the text', async () => {
    const character = fc.oneof(
      fc.constantFrom(
        '0',
        '1',
        '9',
        ' ',
        'a',
        'Z',
        'ß',
        'É',
        'Σ',
        'İ',
        '٣',
        '２',
        '\u0301',
        '\u{fdfa}',
        '\u{1d7d8}',
      ),
      fc.integer({ min: 0x20, max: 0x24ff }).map((code) => String.fromCodePoint(code)),
    );
    const texts = fc.sample(fc.string({ unit: character, maxLength: 60 }), { numRuns: 1_000, seed: 1 });
    texts.push(
      '0'.repeat(200),
      '9'.repeat(200),
      `1${'0'.repeat(30)}1`,
      '1a'.repeat(250),
      '\u{fdfa}'.repeat(500),
    );
    const rows = await query<{ key: string }>(
      running.service.databaseUrl,
      'SELECT natural_key(text) AS key FROM unnest($1::text[]) WITH ORDINALITY AS given(text, n) ORDER BY n',
      [texts],
    );
    expect(rows.map(({ key }) => key)).toEqual(texts.map(naturalKey));
  });
});

describe('duplicates=true', () => {
  it('finds two equal files, also if one was in the trash when the other was uploaded', async () => {
    const { admin } = await newLibrary(running.owner);
    const upload = async (): Promise<Json> => (await admin.finalize((await admin.upload()).uploadToken)).body;
    const found = async () => idsOf(await admin.listAll('duplicates=true&sort=oldest'));
    const first = await upload();
    const { batchId } = (await admin.delete(`/${first.assetId}`)).body;
    const second = await upload();
    expect(second.duplicateOf).toBeNull();
    expect(await found()).toEqual([]);
    await admin.post('/trash/restore', { batchId });
    expect(await found()).toEqual([first.assetId, second.assetId]);
    expect(idsOf(await admin.listAll('duplicates=false'))).toEqual([]);
  });
});

describe('createdBy', () => {
  it('is who uploaded an asset; the portal shows the agency instead of its people and keys', async () => {
    const { owner, clientId } = { ...running, ...(await newLibrary(running.owner)) };
    const operator = await newPerson(owner, { role: 'operator', clientIds: [clientId] });
    const customer = await newPerson(owner, { role: 'client_manager', clientIds: [clientId] });
    const { keyId, key } = await newKey(owner, { role: 'operator', clientIds: [clientId] });
    const path = `/admin/clients/${clientId}/assets`;
    const admin = new Library(operator.api, path);
    const portal = new Library(customer.api, '/portal/assets');
    const upload = async (library: Library): Promise<Json> =>
      (await library.finalize((await library.upload()).uploadToken)).body;
    const byOperator = await upload(admin);
    const byKey = await upload(new Library(owner.as(key), path));
    const byCustomer = await upload(portal);
    const [unknown] = await seedAssets(running.service.databaseUrl, clientId, [{ title: 'Unknown' }]);

    const shown = {
      operator: { kind: 'user', id: operator.userId, name: operator.email },
      key: { kind: 'api_key', id: keyId, name: 'Test key' },
      customer: { kind: 'user', id: customer.userId, name: customer.email },
      agency: { kind: 'agency', id: null, name: 'Agency' },
    };
    expect([byOperator, byKey, byCustomer].map(({ createdBy }) => createdBy)).toEqual([
      shown.operator,
      shown.key,
      shown.customer,
    ]);
    const creators = async (library: Library) =>
      Object.fromEntries(
        (await library.listAll('sort=oldest')).map(({ assetId, createdBy }) => [assetId, createdBy]),
      );
    const expected = (inPortal: boolean) => ({
      [byOperator.assetId]: inPortal ? shown.agency : shown.operator,
      [byKey.assetId]: inPortal ? shown.agency : shown.key,
      [byCustomer.assetId]: shown.customer,
      [unknown!]: null,
    });
    expect(await creators(admin)).toEqual(expected(false));
    expect(await creators(portal)).toEqual(expected(true));
    expect((await portal.get(`/${byKey.assetId}`)).body.createdBy).toEqual(shown.agency);

    const found = async (library: Library, createdBy: string) =>
      idsOf(await library.listAll(`sort=oldest&createdBy=${createdBy}`));
    const ids = (...assets: Json[]) => assets.map(({ assetId }) => assetId as string);
    for (const library of [admin, portal]) {
      expect(await found(library, 'agency')).toEqual(ids(byOperator, byKey));
      expect(await found(library, customer.userId)).toEqual(ids(byCustomer));
    }
    expect(await found(admin, 'me')).toEqual(ids(byOperator));
    expect(await found(portal, 'me')).toEqual(ids(byCustomer));
    expect(await found(admin, keyId)).toEqual(ids(byKey));
    // Knowing the id of a member of the agency does not help.
    for (const id of [operator.userId, keyId]) expect(await found(portal, id)).toEqual([]);

    const listed = async (library: Library) => (await library.get('/creators')).body.creators;
    const byName = (...actors: { name: string }[]) => actors.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(await listed(admin)).toEqual(byName(shown.operator, shown.key, shown.customer));
    expect(await listed(portal)).toEqual(byName(shown.agency, shown.customer));
    await admin.delete(`/${byOperator.assetId}`);
    const place = await admin.folder('Trashed');
    await admin.patch(`/${byCustomer.assetId}`, { folderId: place });
    await admin.delete('/folders', { folderId: place });
    expect(await listed(admin)).toEqual([shown.key]);
    expect(await listed(portal)).toEqual([shown.agency]);
  });
});

describe('below=true', () => {
  it('lists the folder and everything below, without a search, in pages and in counts', async () => {
    const { admin, clientId } = await newLibrary(running.owner);
    const top = await admin.folder('Top');
    const inner = await admin.folder('Inner', top);
    const seeded = await seedAssets(
      running.service.databaseUrl,
      clientId,
      [null, top, inner, inner].map((place, index) => ({ folderId: place, tags: [`t${index % 2}`] })),
    );
    for (const sort of SORTS) {
      const all = await admin.listAll(`below=true&sort=${sort}&limit=2`);
      expect(idsOf(all).sort()).toEqual([...seeded].sort());
      const inside = await admin.listAll(`below=true&folderId=${top}&sort=${sort}&limit=2`);
      expect(idsOf(inside).sort()).toEqual(seeded.slice(1).sort());
    }
    expect((await admin.get(`?below=true&folderId=${top}&tags=t1`)).body.total).toBe(2);
    expect((await admin.get(`?below=false&folderId=${top}`)).body.total).toBe(1);
    expectProblem(await admin.get('?below=maybe'), 400, 'validation_failed');
  });
});

describe('Listings', () => {
  it('counts up to 10,000 exactly, reports when there are more, and pages through all of them once', async () => {
    const { admin, clientId } = await newLibrary(running.owner);
    const place = await admin.folder('Large');
    const rows = Array.from({ length: 12_000 }, (_, index) => ({
      folderId: index % 10 ? place : null,
      title: `Picture ${index % 400 ? 'common' : 'seldom'} ${index}`,
      tags: index % 3 ? ['often'] : [],
      mimeType: index % 50 ? 'image/jpeg' : 'video/mp4',
      sizeBytes: 1000 + (index % 13),
      createdAt: new Date(Date.UTC(2026, 0, 1) + (index % 700) * 1000).toISOString(),
    }));
    await seedAssets(running.service.databaseUrl, clientId, rows);
    const totals = async (parameters: string) => {
      const { body } = await admin.get(`?${parameters}&limit=1`);
      return [body.total, body.totalIsExact];
    };
    expect(await totals('below=true')).toEqual([12_000, true]);
    expect(await totals(`folderId=${place}`)).toEqual([10_800, true]);
    expect(await totals('below=true&tags=often')).toEqual([8_000, true]);
    expect(await totals('q=picture')).toEqual([10_000, false]);
    expect(await totals('q=p')).toEqual([10_000, false]);
    expect(await totals('q=common&mimeType=image/jpeg')).toEqual([10_000, false]);
    expect(await totals('q=common&tags=often')).toEqual([7_980, true]);
    expect(await totals('q=seldom')).toEqual([30, true]);
    expect(await totals(`folderId=${place}&mimeType=video/mp4`)).toEqual([0, true]);
    expect(await totals('below=true&mimeType=video/mp4')).toEqual([240, true]);
    expect(await totals('q=zzyzx')).toEqual([0, true]);

    // This many are found by scanning the list.
    for (const parameters of ['q=picture', 'below=true', `below=true&folderId=${place}`]) {
      const [record] = (await admin.get(`?${parameters}&limit=1`)).body.assets;
      expect((await admin.get(`/${record.assetId}`)).body).toMatchObject(record);
    }

    const found = await admin.listAll('q=seldom&limit=7&sort=size');
    expect(new Set(idsOf(found)).size).toBe(30);
    for (const sort of ['newest', 'title']) {
      const tagged = await admin.listAll(`below=true&mimeType=video/mp4&limit=200&sort=${sort}`);
      expect(new Set(idsOf(tagged)).size).toBe(240);
    }
    expect(new Set(idsOf(await admin.listAll('q=common&tags=often&limit=200'))).size).toBe(7_980);
  });

  it('returns an asset as in the contract, the same on both sides', async () => {
    const { body } = await library.get(`?folderId=${folderId}&limit=1`);
    expect(Object.keys(body.assets[0])).toEqual(
      `assetId assetRef clientId folderId title description altText tags allowedSurfaces originalFilename mimeType sizeBytes sha256
     width height durationMs takenAt placeholder duplicateOf version createdAt updatedAt usages focalPoint createdBy fitness`.split(
        /\s+/,
      ),
    );
    const seenInPortal = (await running.portal.get(`?folderId=${folderId}&limit=1`)).body;
    expect(seenInPortal).toEqual(body);
    const byRef = (await running.portal.get(`/${body.assets[0].assetRef}`)).body;
    expect(byRef).toMatchObject(body.assets[0]);
  });
});

describe('a record', () => {
  /** Extreme values of every field: null and set, empty and unusual, times with and without fractions. */
  const odd = 'Ünï\u{1f600}\u2028 "quoted" \\ back/slash\ttab\nline \u0001 <b>{"assetRef":"x"}';
  const seeds: SeedAsset[] = [
    { tags: ['plain'], createdAt: '2026-01-02T03:04:05Z' },
    {
      title: odd,
      description: odd,
      altText: odd,
      tags: ['plain', '', 'NULL', 'a,b', '{c}', '"d"', '\\e', '京都'],
      allowedSurfaces: ['social', 'website', 'gbp'],
      originalFilename: odd,
      sizeBytes: 4_900_000_000,
      takenAt: '1970-01-01T00:00:00.007Z',
      createdAt: '2026-12-31T23:59:59.999Z',
    },
  ];
  let owner: Library;
  let place: string;
  let records: Map<string, Json>;

  beforeAll(async () => {
    const { admin, clientId } = await newLibrary(running.owner);
    owner = admin;
    place = await admin.folder('Records');
    const { databaseUrl } = running.service;
    const inFolder = await seedAssets(
      databaseUrl,
      clientId,
      seeds.map((seed) => ({ ...seed, folderId: place })),
    );
    const atTop = await seedAssets(databaseUrl, clientId, seeds);
    // Postgres times are more precise than JavaScript's: they are truncated, not rounded.
    await query(
      databaseUrl,
      `UPDATE assets SET duration_ms = 9007199254740991, placeholder = '1QcSHQRnh493V4dIh4eXh1h4kJUI', duplicate_of = id, version = 7,
          focal_point = '{"x": 0.25, "y": 1}',
          taken_at = '2001-02-03 04:05:06.9999+05:30', updated_at = '2026-06-07 08:09:10.123987+00'
        WHERE client_id = $1 AND size_bytes > 1000`,
      [clientId],
    );
    records = new Map();
    for (const id of [...inFolder, ...atTop]) records.set(id, (await admin.get(`/${id}`)).body);
    expect([...records.values()].map(({ takenAt, updatedAt }) => [takenAt, updatedAt])).toContainEqual([
      '2001-02-02T22:35:06.999Z',
      '2026-06-07T08:09:10.123Z',
    ]);
  });

  it.each([
    ['a folder', () => `folderId=${place}`, 2],
    ['the top level', () => '', 2],
    ['everything', () => 'below=true', 4],
    ['a folder and what is below', () => `below=true&folderId=${place}`, 2],
    ['a filter', () => `folderId=${place}&tags=plain`, 2],
    ['a search', () => 'q=plain', 4],
  ])(
    'in a listing of %s equals the one that GET returns, without the reasons',
    async (_what, parameters, count) => {
      for (const sort of ['newest', 'title'])
        for (const limit of [1, 200]) {
          const listed = await owner.listAll(`${parameters()}&sort=${sort}&limit=${limit}`);
          expect(listed).toHaveLength(count);
          for (const record of listed) {
            const shown = records.get(record.assetId);
            expect(shown).toMatchObject(record);
            expect(Object.keys(record)).toEqual(Object.keys(shown));
          }
        }
    },
  );

  it('matches its schema, in a page that matches its schema', async () => {
    const { schemas } = (await running.service.api.get('/openapi.json')).body.components;
    const response = await owner.get(`?folderId=${place}`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(1000);
    expectSchema(schemas, schemas.LibraryPageDto, response.body);
  });

  function expectSchema(schemas: Json, schema: Json, value: Json): void {
    if (schema.$ref) return expectSchema(schemas, schemas[schema.$ref.split('/').at(-1)], value);
    const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (choices) return value === null ? undefined : expectSchema(schemas, choices[0], value);
    const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    expect([schema.type].flat().map((each) => (each === 'integer' ? 'number' : each))).toContain(type);
    if (type === 'array') for (const item of value) expectSchema(schemas, schema.items, item);
    if (type !== 'object') {
      if (schema.enum) expect(schema.enum).toContain(value);
      if (schema.format === 'date-time' && value !== null) expect(new Date(value).toISOString()).toBe(value);
      return;
    }
    expect(Object.keys(value)).toEqual(Object.keys(schema.properties));
    expect(Object.keys(value)).toEqual(schema.required);
    for (const [name, member] of Object.entries(value))
      expectSchema(schemas, schema.properties[name], member);
  }
});

describe('Listings', () => {
  it('returns a problem for a missing folder, not a page', async () => {
    const response = await library.get('?folderId=0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10');
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });
});
