import { mkdtempSync, readdirSync, rmSync, statfsSync, utimesSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import { TempFiles } from './temp-files.js';

const OWNER = { clientId: 'demo', priority: 'interactive' } as const;
const config = { limits: { tempBytes: 1_000, imageBytes: 100 } } as Config;

describe('TempFiles', () => {
  const original = process.env['TMPDIR'];
  const folder = mkdtempSync(join(tmpdir(), 'temp-files-'));
  beforeAll(() => {
    process.env['TMPDIR'] = folder;
  });
  afterAll(() => {
    if (original === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = original;
    rmSync(folder, { recursive: true });
  });

  const age = (directory: string) => utimesSync(directory, 0, 0);

  it('never removes what is in use, however old, not even from another process', async () => {
    const [ours, theirs] = [new TempFiles(config), new TempFiles(config)];
    await ours.use(OWNER, 1, async (path) => {
      await writeFile(path, 'x');
      age(dirname(path));
      await ours.tidy();
      await theirs.tidy();
      expect(readdirSync(dirname(path))).toEqual(['file']);
      // As after `ours` was killed.
      age(dirname(path));
      await theirs.tidy();
      expect(readdirSync(folder)).toEqual([]);
    });
  });

  it('rejects a file that does not fit, before the work begins', async () => {
    const work = jest.fn();
    const huge = { limits: { tempBytes: Number.MAX_SAFE_INTEGER, imageBytes: 100 } } as Config;
    await expect(new TempFiles(huge).use(OWNER, 2 ** 52, work)).rejects.toMatchObject({
      code: 'server_busy',
      detail: 'There is not enough space for temporary files.',
    });
    expect(work).not.toHaveBeenCalled();
  });

  it('admits only as many as fit together, although none of them has written anything yet', async () => {
    const { bavail, bsize } = statfsSync(folder);
    const files = new TempFiles({
      limits: { tempBytes: Number.MAX_SAFE_INTEGER, imageBytes: 100 },
    } as Config);
    const most = bavail * bsize * 0.6;
    let running = 0;
    const work = async () => {
      expect(++running).toBe(1);
      await delay(50);
      running--;
    };
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => files.use(OWNER, most, work)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    await files.use(OWNER, most, work);
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('reports it when the space runs out during the work, and leaves nothing behind', async () => {
    const fill = new TempFiles(config).use(OWNER, 1, () => writeFile('/dev/full', 'x'));
    await expect(fill).rejects.toMatchObject({ code: 'server_busy', options: { retryAfter: 60 } });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('passes other errors of the work on', async () => {
    const error = new Error('not a picture');
    await expect(new TempFiles(config).use(OWNER, 1, () => Promise.reject(error))).rejects.toBe(error);
  });
});
