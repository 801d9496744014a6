import { DownloadFolder, head, unzipTest } from '../support/api/download.js';
import { type LibraryService, libraryOn, newLibrary } from '../support/api/library.js';
import { type ServiceProcess, startProcess } from '../support/services/service.js';
import { newKey } from '../support/api/people.js';
import { memoryOf, peakDuring } from '../support/services/process-memory.js';
import { readZip } from '../support/api/read-zip.js';
import { seedFiles } from '../support/database/seed-assets.js';
import { seedMany } from '../support/database/seed-many.js';

/** `npm run test:big`: 10,000 files, and 5 GB in files of 50 MB. */
const FILES = Number(process.env['BIG_ZIP_FILES'] ?? 300);
const TOTAL_MB = Number(process.env['BIG_ZIP_MB'] ?? 96);
/** `npm run test:faults`: 100,000 assets. */
const PLANNED_ASSETS = Number(process.env['ZIP_PLANNED_ASSETS'] ?? 10_000);
const HEADS = 50;
const FILE_MB = Math.min(50, TOTAL_MB / 4);
const MB = 1024 * 1024;
/** How much more memory a big archive may take than a small one. */
const ALLOWED_GROWTH = 160 * MB;
/** How long another client may wait for a listing while archives are being planned, on a busy machine. */
const PROMPT_MS = 2_000;

let running: LibraryService<ServiceProcess>;
let token: string;
const downloads = new DownloadFolder();
describe('A large zip download', () => {
  beforeAll(async () => {
    running = await libraryOn(await startProcess());
    token = (await newKey(running.owner, { role: 'viewer', clientIds: null })).key;
  });
  afterAll(async () => {
    downloads.remove();
    await running?.service.stop();
  });

  const urlOf = (folderId: string) =>
    `${running.service.url}${running.admin.path}/folders/download?folderId=${folderId}`;

  /** The memory the service holds now, in bytes. */
  const memory = () => memoryOf(running.service.process.pid!) * 1024 * 1024;

  async function expectWhole(folderId: string, entries: number): Promise<number> {
    const { result, peak } = await peakDuring(memory, () => downloads.fetch(urlOf(folderId), token));
    expect(result).toMatchObject({ status: 200, isComplete: true });
    expect(result.bytes).toBe(Number(result.headers['content-length']));
    expect(readZip(result.path)).toHaveLength(entries);
    const verdict = await unzipTest(result.path);
    if (verdict !== null) expect(verdict).toBe('');
    return peak;
  }

  it(`contains ${FILES} files`, async () => {
    const folderId = await running.admin.folder('Many');
    const files = Array.from({ length: FILES }, (_, index) => ({
      folderId,
      originalFilename: `IMG_${index % 100}.JPG`,
      bytes: Buffer.from(`file ${index}`.repeat(50)),
    }));
    await seedFiles(running.service, running.clientId, files);
    await expectWhole(folderId, FILES + 1);
    expect(running.service.output()).not.toContain('MaxListenersExceededWarning');
  }, 900_000);

  it(`contains ${TOTAL_MB} MB in no more memory than a few`, async () => {
    const small = await running.admin.folder('Small');
    const big = await running.admin.folder('Big');
    const bytes = Buffer.alloc(FILE_MB * MB, 'x');
    const file = (folderId: string, index: number) => ({ folderId, originalFilename: `${index}.mp4`, bytes });
    await seedFiles(running.service, running.clientId, [file(small, 0)]);
    const count = Math.ceil(TOTAL_MB / FILE_MB);
    for (let index = 0; index < count; index++)
      await seedFiles(running.service, running.clientId, [file(big, index)]);
    const before = await expectWhole(small, 2);
    const after = await expectWhole(big, count + 1);
    expect(after - before).toBeLessThan(ALLOWED_GROWTH);
  }, 1_800_000);

  it(`serves other clients promptly while one requests the size of ${PLANNED_ASSETS} files ${HEADS} times`, async () => {
    await seedMany(running.service.databaseUrl, 1, PLANNED_ASSETS);
    const { key } = await newKey(running.owner, { role: 'client_viewer', clientIds: ['seeded-1'] });
    const url = `${running.service.url}/portal/assets/folders/download`;
    const other = await newLibrary(running.owner);
    const [alone, before] = [await head(url, key), memory()];
    expect(alone.statusCode).toBe(200);

    let isPlanning = true;
    const waits: number[] = [];
    const list = async () => {
      while (isPlanning) {
        const start = performance.now();
        expect((await other.admin.get()).status).toBe(200);
        waits.push(performance.now() - start);
      }
    };
    const heads = () => Promise.all(Array.from({ length: HEADS }, () => head(url, key)));
    const listing = list();
    const { result: responses, peak } = await peakDuring(memory, heads).finally(() => (isPlanning = false));
    await listing;

    const sizes = responses.filter(({ statusCode }) => statusCode === 200);
    expect(sizes.length).toBeGreaterThan(0);
    for (const { headers } of sizes) expect(headers['content-length']).toBe(alone.headers['content-length']);
    const refused = responses.filter(({ statusCode }) => statusCode !== 200);
    for (const { statusCode, headers } of refused) {
      expect([429, 503]).toContain(statusCode);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(Math.max(...waits)).toBeLessThan(PROMPT_MS);
    expect(peak - before).toBeLessThan(ALLOWED_GROWTH);
  }, 300_000);
});
