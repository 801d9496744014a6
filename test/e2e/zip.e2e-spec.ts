import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { Client } from 'pg';
import { DownloadFolder, head, unzipTest } from '../support/api/download.js';
import {
  waitUntil,
  type Library,
  type LibraryService,
  newLibrary,
  sharedLibrary,
} from '../support/api/library.js';
import { newKey } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { readContent, readZip, type ZipEntry } from '../support/api/read-zip.js';
import { seedFiles } from '../support/database/seed-assets.js';
import { query } from '../support/services/service.js';

let running: LibraryService;
let library: Library;
let token: string;
const downloads = new DownloadFolder();

describe('A zip download', () => {
  beforeAll(async () => {
    running = await sharedLibrary();
    token = (await newKey(running.owner, { role: 'viewer', clientIds: null })).key;
  });
  afterAll(() => downloads.remove());
  beforeEach(async () => {
    running = { ...running, ...(await newLibrary(running.owner)) };
    library = running.admin;
  });

  const urlOf = (folderId?: string) =>
    `${running.service.url}${library.path}/folders/download${folderId ? `?folderId=${folderId}` : ''}`;

  /** Downloads an archive, reads it with two independent readers, and compares its length with Content-Length. */
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

  const TYPES: Record<string, string> = { png: 'image/png', heic: 'image/heic' };

  const file = (originalFilename: string, folderId: string | null = null, text = originalFilename) => ({
    originalFilename,
    folderId,
    mimeType: TYPES[originalFilename.split('.').at(-1)!] ?? 'image/jpeg',
    bytes: Buffer.from(text),
  });

  it('contains the tree under the name of the folder, with the bytes of each file', async () => {
    const a = await library.folder('Autumn');
    const b = await library.folder('Posters', a);
    await library.folder('Nothing', b);
    await seedFiles(running.service, running.clientId, [
      file('one.jpg', a, 'first'),
      file('two.png', b, 'second'),
      file('empty.jpg', b, ''),
      file('elsewhere.jpg'),
    ]);
    const { entries, path, names } = await archive(a);
    expect(names).toEqual([
      'Autumn/',
      'Autumn/one.jpg',
      'Autumn/Posters/',
      'Autumn/Posters/two.png',
      'Autumn/Posters/empty.jpg',
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

  it('contains the bytes of a file that is read from the store in several parts', async () => {
    const folderId = await library.folder('Films');
    const bytes = randomBytes(2.5 * 1024 * 1024 + 1);
    await seedFiles(running.service, running.clientId, [
      { ...file('film.jpg', folderId), bytes },
      file('after.jpg', folderId),
    ]);
    const { entries, path } = await archive(folderId);
    expect(readContent(path, entries[1]!).equals(bytes)).toBe(true);
    expect(readContent(path, entries[2]!).toString()).toBe('after.jpg');
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
      ['CON', '_CON.jpg'],
      ['nul.jpg', '_nul.jpg'],
      ['COM1 .txt', '_COM1 .txt.jpg'],
      ['../x', '.._x.jpg'],
      ['..', 'file.jpg'],
      ['.', 'file (2).jpg'],
      ['/etc/passwd', '_etc_passwd.jpg'],
      ['C:\\Windows\\x.png', 'C__Windows_x.png'],
      ['a<b>c:d"e|f?g*h.jpg', 'a_b_c_d_e_f_g_h.jpg'],
      ['trailing. ', 'trailing.jpg'],
      ['.hidden', '.hidden.jpg'],
      ['\u202Egnp.exe', 'gnp.exe.jpg'],
      ['in\u061cvo\u200eice\u200f.hta', 'invoice.hta.jpg'],
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
    await library.folder('Same.jpg', a);
    await seedFiles(running.service, running.clientId, [file('same.jpg', a), file('SAME.JPG', a)]);
    expect((await archive(a)).names).toEqual(['A/', 'A/same (2).jpg', 'A/SAME (3).JPG', 'A/Same.jpg/']);
  });

  it('keeps the names of folders safe too', async () => {
    const aux = await library.folder('AUX');
    await library.folder('a*b?', aux);
    await library.folder('a_b_', aux);
    expect((await archive(aux)).names).toEqual(['_AUX/', '_AUX/a_b_/', '_AUX/a_b_ (2)/']);
  });

  it('names a file as its download does: a script after a picture never gets an extension that runs it', async () => {
    const folderId = await library.folder('Invoices');
    const [asset] = await seedFiles(running.service, running.clientId, [
      { ...file('invoice.hta', folderId), bytes: Buffer.from('picture<script>') },
    ]);
    const { headers } = await library.get(`/${asset!.assetId}/download`);
    expect(headers.get('content-disposition')).toBe('attachment; filename=invoice.hta.jpg');
    expect((await archive(folderId)).names).toEqual(['Invoices/', 'Invoices/invoice.hta.jpg']);
  });

  it('also keeps characters that change the reading direction out of its own name', async () => {
    const client = await running.owner.post('/admin/clients', { name: 'a\u061cb\u200ec\u200fd' });
    expect(client.status).toBe(201);
    const url = `${running.service.url}/admin/clients/${client.body.clientId}/assets/folders/download`;
    const { headers } = await downloads.fetch(url, token);
    expect(headers['content-disposition']).toBe('attachment; filename=abcd.zip');
  });

  it('has the files of many folders, small and large', async () => {
    const parent = await library.folder('Parent');
    const folders: string[] = [];
    for (let index = 0; index < 60; index++)
      folders.push(await library.folder(`F${String(index).padStart(2, '0')}`, parent));
    // All created in the same millisecond, so pages are distinguished by id.
    const createdAt = '2026-01-01T00:00:00.123456Z';
    const counts = new Map([
      [parent, 1_021],
      [folders[0]!, 19],
      [folders[1]!, 20],
      [folders[2]!, 21],
      [folders[49]!, 45],
      [folders[59]!, 3],
    ]);
    for (const [folderId, count] of counts)
      await seedFiles(
        running.service,
        running.clientId,
        Array.from({ length: count }, (_, index) => ({ ...file(`${index}.jpg`, folderId), createdAt })),
      );
    const { names } = await archive(parent);
    const filesIn = (path: string) => names.filter((name) => new RegExp(`^${path}/[^/]+$`).test(name));
    expect(filesIn('Parent')).toHaveLength(1_021);
    for (const [index, count] of [
      [0, 19],
      [1, 20],
      [2, 21],
      [3, 0],
      [49, 45],
      [59, 3],
    ] as const)
      expect(filesIn(`Parent/F${String(index).padStart(2, '0')}`)).toHaveLength(count);
    expect(names).toHaveLength(61 + 1_021 + 19 + 20 + 21 + 45 + 3);
    expect(new Set(names).size).toBe(names.length);
  });

  it('keeps the time at which a picture was taken or, if unknown, added', async () => {
    const folderId = await library.folder('Times');
    await seedFiles(running.service, running.clientId, [
      { ...file('taken.jpg', folderId), takenAt: '2019-07-14T05:06:08Z', createdAt: '2026-01-01T00:00:00Z' },
      { ...file('added.jpg', folderId), createdAt: '2026-02-03T04:05:06Z' },
      {
        ...file('ancient.jpg', folderId),
        takenAt: '1901-01-01T00:00:00Z',
        createdAt: '2026-02-03T04:05:07Z',
      },
    ]);
    const { entries } = await archive(folderId);
    expect(entries.slice(1).map(({ date }) => date.toISOString())).toEqual([
      '2019-07-14T05:06:08.000Z',
      '2026-02-03T04:05:06.000Z',
      '1980-01-01T00:00:00.000Z',
    ]);
  });

  it('returns its length to HEAD, without reading anything', async () => {
    const folderId = await library.folder('Head');
    await seedFiles(running.service, running.clientId, [
      file('a.jpg', folderId),
      file('🍞.jpg', folderId, 'x'.repeat(5000)),
    ]);
    const response = await head(urlOf(folderId), token);
    const { headers, bytes } = await downloads.fetch(urlOf(folderId), token);
    expect(response.statusCode).toBe(200);
    for (const name of ['content-length', 'content-type', 'content-disposition'])
      expect(response.headers[name]).toBe(headers[name]);
    expect(Number(response.headers['content-length'])).toBe(bytes);
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

  it('is rejected for a folder that does not exist', async () => {
    for (const [folderId, status, code] of [
      ['0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10', 404, 'folder_not_found'],
      ['nowhere', 400, 'validation_failed'],
    ] as const)
      expectProblem(await library.get(`/folders/download?folderId=${folderId}`), status, code);
  });

  it('limits how many archives a client plans at the same time, including HEAD, and stops when the caller disconnects', async () => {
    const database = new Client({ connectionString: running.service.databaseUrl });
    await database.connect();
    try {
      await database.query('BEGIN; LOCK TABLE assets IN ACCESS EXCLUSIVE MODE');
      const planned = [1, 2].map(() => {
        const sent = request(urlOf(), { method: 'HEAD', headers: { authorization: `Bearer ${token}` } });
        sent.on('error', () => undefined).end();
        return sent;
      });
      // Only the statements of plans: others that wait for the table would be mistaken for them.
      const waiting = `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE NOT granted AND relation = 'assets'::regclass AND query LIKE 'SELECT file.* FROM unnest%'`;
      await waitUntil(
        async () => (await query(running.service.databaseUrl, waiting)).length === 2,
        'two archives are being planned',
      );
      const refused = await head(urlOf(), token);
      expect(refused.statusCode).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      for (const sent of planned) sent.destroy();
      await database.query('COMMIT');
    } finally {
      await database.end();
    }
    expect((await head(urlOf(), token)).statusCode).toBe(200);
  });
});
