import { DownloadFolder, head, unzipTest } from '../support/download.js';
import { type Library, type LibraryService, newLibrary, startLibrary } from '../support/library.js';
import { newKey } from '../support/people.js';
import { expectProblem } from '../support/problems.js';
import { readContent, readZip, type ZipEntry } from '../support/read-zip.js';
import { seedFiles } from '../support/seed-assets.js';

let running: LibraryService;
let library: Library;
let token: string;
const downloads = new DownloadFolder();

beforeAll(async () => {
  running = await startLibrary();
  token = (await newKey(running.owner, { role: 'viewer', clientIds: null })).key;
});
afterAll(async () => {
  downloads.remove();
  await running?.service.stop();
});
beforeEach(async () => {
  running = { ...running, ...(await newLibrary(running.owner)) };
  library = running.admin;
});

const urlOf = (folderId?: string) =>
  `${running.service.url}${library.path}/folders/download${folderId ? `?folderId=${folderId}` : ''}`;

/** Downloads an archive, has it read by two readers, and compares its length with what was announced. */
async function archive(folderId?: string): Promise<{ entries: ZipEntry[]; path: string; names: string[] }> {
  const { status, headers, path, bytes, isComplete } = await downloads.fetch(urlOf(folderId), token);
  expect({ status, isComplete, type: headers['content-type'] }).toEqual({
    status: 200,
    isComplete: true,
    type: 'application/zip',
  });
  expect(bytes).toBe(Number(headers['content-length']));
  const entries = readZip(path);
  const verdict = await unzipTest(path);
  if (verdict !== null) expect(verdict).toBe('');
  return { entries, path, names: entries.map(({ name }) => name) };
}

const file = (originalFilename: string, folderId: string | null = null, text = originalFilename) => ({
  originalFilename,
  folderId,
  bytes: Buffer.from(text),
});

it('holds the tree under the name of the folder, with the bytes of each file', async () => {
  const a = await library.folder('Autumn');
  const b = await library.folder('Posters', a);
  await library.folder('Nothing', b);
  await seedFiles(running.service, running.clientId, [
    file('one.jpg', a, 'first'),
    file('two.png', b, 'second'),
    file('empty.bin', b, ''),
    file('elsewhere.jpg'),
  ]);
  const { entries, path, names } = await archive(a);
  expect(names).toEqual([
    'Autumn/',
    'Autumn/one.jpg',
    'Autumn/Posters/',
    'Autumn/Posters/two.png',
    'Autumn/Posters/empty.bin',
    'Autumn/Posters/Nothing/',
  ]);
  expect(entries.map((entry) => readContent(path, entry).toString())).toEqual([
    '',
    'first',
    '',
    'second',
    '',
    '',
  ]);
  expect(entries.every(({ method }) => method === 0)).toBe(true);
});

it('of the whole library begins with the client, and has every folder', async () => {
  await seedFiles(running.service, running.clientId, [file('top.jpg')]);
  expect((await archive()).names).toEqual([
    'Test client/',
    'Test client/top.jpg',
    'Test client/Social/',
    'Test client/Social/Posted/',
  ]);
  const { headers } = await downloads.fetch(urlOf(), token);
  expect(headers['content-disposition']).toBe('attachment; filename="Test client.zip"');
});

it('of an empty folder is an archive with just that folder', async () => {
  expect((await archive(await library.folder('Empty'))).names).toEqual(['Empty/']);
});

it('is the same through the portal', async () => {
  const folderId = await library.folder('Same');
  await seedFiles(running.service, running.clientId, [file('a.jpg', folderId)]);
  const { key } = await newKey(running.owner, { role: 'client_viewer', clientIds: [running.clientId] });
  const url = `${running.service.url}/portal/assets/folders/download?folderId=${folderId}`;
  const { path } = await downloads.fetch(url, key);
  expect(readZip(path)).toEqual((await archive(folderId)).entries);
});

it('gives every file a safe and unique name', async () => {
  const folderId = await library.folder('Names');
  const long = 'ü'.repeat(300);
  const given: [string, string][] = [
    ['same.jpg', 'same.jpg'],
    ['same.jpg', 'same (2).jpg'],
    ['SAME.JPG', 'SAME (3).JPG'],
    ['same (2).jpg', 'same (2) (2).jpg'],
    ['🍞 bröd.heic', '🍞 bröd.heic'],
    ['e\u0301.jpg', 'é.jpg'],
    ['é.jpg', 'é (2).jpg'],
    ['CON', '_CON'],
    ['con.jpg', '_con.jpg'],
    ['COM1 .txt', '_COM1 .txt'],
    ['../x', '.._x'],
    ['..', '_'],
    ['.', '_ (2)'],
    ['/etc/passwd', '_etc_passwd'],
    ['C:\\Windows\\x.png', 'C__Windows_x.png'],
    ['a<b>c:d"e|f?g*h.jpg', 'a_b_c_d_e_f_g_h.jpg'],
    ['trailing. ', 'trailing'],
    ['.hidden', '.hidden'],
    ['\u202Egnp.exe', '_gnp.exe'],
    [`${'a'.repeat(251)}.jpg`, `${'a'.repeat(251)}.jpg`],
    [`${'a'.repeat(251)}.jpg`, `${'a'.repeat(247)} (2).jpg`],
    [`${long}.jpg`, `${'ü'.repeat(125)}.jpg`],
  ];
  await seedFiles(
    running.service,
    running.clientId,
    given.map(([name], index) => ({
      ...file(name, folderId, `content ${index}`),
      createdAt: new Date(Date.UTC(2026, 0, 1) + index).toISOString(),
    })),
  );
  const { entries, path, names } = await archive(folderId);
  const [, ...files] = entries;
  expect(files.map(({ name }) => name.slice('Names/'.length))).toEqual(given.map(([, name]) => name));
  expect(files.map((entry) => readContent(path, entry).toString())).toEqual(
    given.map((_, index) => `content ${index}`),
  );
  expect(new Set(names.map((name) => name.normalize('NFC').toLowerCase())).size).toBe(names.length);
  for (const { name, isUtf8 } of entries) {
    // eslint-disable-next-line no-control-regex
    if (/[^\x00-\x7f]/.test(name)) expect({ name, isUtf8 }).toEqual({ name, isUtf8: true });
    expect(Buffer.byteLength(name.split('/').at(-1)!)).toBeLessThanOrEqual(255);
  }
});

it('keeps folders and files of the same name apart', async () => {
  const a = await library.folder('A');
  await library.folder('Same', a);
  await seedFiles(running.service, running.clientId, [file('same', a), file('SAME', a)]);
  expect((await archive(a)).names).toEqual(['A/', 'A/same (2)', 'A/SAME (3)', 'A/Same/']);
});

it('keeps the names of folders safe too', async () => {
  const aux = await library.folder('AUX');
  await library.folder('a*b?', aux);
  await library.folder('a_b_', aux);
  expect((await archive(aux)).names).toEqual(['_AUX/', '_AUX/a_b_/', '_AUX/a_b_ (2)/']);
});

it('keeps the time a file was taken, or else added', async () => {
  const folderId = await library.folder('Times');
  await seedFiles(running.service, running.clientId, [
    { ...file('taken.jpg', folderId), takenAt: '2019-07-14T05:06:08Z', createdAt: '2026-01-01T00:00:00Z' },
    { ...file('added.jpg', folderId), createdAt: '2026-02-03T04:05:06Z' },
    { ...file('ancient.jpg', folderId), takenAt: '1901-01-01T00:00:00Z', createdAt: '2026-02-03T04:05:07Z' },
  ]);
  const { entries } = await archive(folderId);
  expect(entries.slice(1).map(({ date }) => date.toISOString())).toEqual([
    '2019-07-14T05:06:08.000Z',
    '2026-02-03T04:05:06.000Z',
    '1980-01-01T00:00:00.000Z',
  ]);
});

it('tells its length to HEAD, without reading anything', async () => {
  const folderId = await library.folder('Head');
  await seedFiles(running.service, running.clientId, [
    file('a.jpg', folderId),
    file('🍞.jpg', folderId, 'x'.repeat(5000)),
  ]);
  const answer = await head(urlOf(folderId), token);
  const { headers, bytes } = await downloads.fetch(urlOf(folderId), token);
  expect(answer.statusCode).toBe(200);
  for (const name of ['content-length', 'content-type', 'content-disposition'])
    expect(answer.headers[name]).toBe(headers[name]);
  expect(Number(answer.headers['content-length'])).toBe(bytes);
});

it('has as many entries as there are files, even when all have the same name', async () => {
  const folderId = await library.folder('Camera');
  await seedFiles(
    running.service,
    running.clientId,
    Array.from({ length: 300 }, () => file('IMG_0001.JPG', folderId)),
  );
  const { names } = await archive(folderId);
  expect(names).toHaveLength(301);
  expect(new Set(names).size).toBe(301);
  expect(names.at(-1)).toBe('Camera/IMG_0001 (300).JPG');
});

it('is refused for a folder that is not there', async () => {
  for (const [folderId, status, code] of [
    ['0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10', 404, 'folder_not_found'],
    ['nowhere', 400, 'validation_failed'],
  ] as const)
    expectProblem(await library.get(`/folders/download?folderId=${folderId}`), status, code);
});
