import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { readMetrics } from '../support/services/metrics.js';
import { newClient } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { OWNER, type ServiceProcess, startProcess } from '../support/services/service.js';
import { FILES, type OpenedSession, type TestFile, uniqueJpeg, Uploader } from '../support/api/uploads.js';

/** A file system on which nothing is ever free. */
const FULL = process.platform === 'darwin' ? '/dev' : '/proc';

/** Too large to be verified in memory. */
const large = (): TestFile => ({
  ...FILES.jpeg,
  bytes: Buffer.concat([FILES.jpeg.bytes, randomBytes(5_000_000)]),
});

describe('The directory for temporary files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'temp-files-'));
  const free = join(folder, 'free');
  const link = join(folder, 'tmp');
  const leftover = join(free, 'asset-library-file-killed');
  let service: ServiceProcess;
  let admin: Uploader;

  const pointTo = (target: string) => {
    symlinkSync(target, `${link}.next`);
    renameSync(`${link}.next`, link);
  };
  /** Left by a process that was killed an hour ago. */
  const leaveFiles = () => {
    mkdirSync(leftover);
    const anHourAgo = Date.now() / 1000 - 3_600;
    utimesSync(leftover, anHourAgo, anHourAgo);
  };
  beforeAll(async () => {
    mkdirSync(free);
    pointTo(free);
    leaveFiles();
    service = await startProcess({ TMPDIR: link });
    const owner = await service.api.signIn(OWNER);
    admin = Uploader.admin(owner, await newClient(owner));
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  const status = async () => (await service.api.get('/status')).body;
  const ready = () => service.api.get('/readyz');
  const preview = (assetId: string, size: string) =>
    admin.api.fetch('GET', `${admin.base}/${assetId}/preview?size=${size}`);
  const logged = (message: string) => service.output().split(message).length - 1;

  it('holds nothing of a process that was killed: removed at the start, and later without a restart', async () => {
    expect(readdirSync(free)).toEqual([]);
    leaveFiles();
    await eventually(() => expect(readdirSync(free)).toEqual([]));
  });

  describe('when it is full', () => {
    let stored: string;
    let video: string;
    let session: OpenedSession;
    beforeAll(async () => {
      stored = (await admin.upload(large())).assetId;
      video = (await admin.upload(FILES.mp4)).assetId;
      session = await admin.stage(large());
      expect(await status()).toMatchObject({ status: 'ok', checks: { temp: 'ok' } });
      expect((await readMetrics(service.api)).get('temp_free_bytes')).toBeGreaterThan(0);
      pointTo(FULL);
    });

    it('is reported by /status, /readyz, a metric and one line in the log', async () => {
      await eventually(async () =>
        expect(await status()).toMatchObject({ status: 'degraded', checks: { temp: 'full' } }),
      );
      // Most requests need no temporary file, so traffic must not stop.
      expect(await ready()).toMatchObject({ status: 200, body: { status: 'degraded' } });
      expect((await readMetrics(service.api)).get('temp_free_bytes')).toBe(0);
      for (let again = 0; again < 3; again++) await status();
      expect(logged('"alarm":"temp_full"')).toBe(1);
    });

    it('delays what needs a temporary file, and nothing else', async () => {
      const refused = [
        await admin.finalize(session),
        await admin.finalize(session),
        await admin.api.get(`${admin.base}/${stored}/preview?size=large`),
        await admin.api.get(`${admin.base}/folders/download`),
      ];
      for (const response of refused) {
        expectProblem(response, 503, 'server_busy');
        expect(response.body.detail).toBe('There is not enough space for temporary files.');
        expect(response.headers.get('retry-after')).toBe('60');
      }
      expect((await admin.status(session.sessionId)).body).toMatchObject({
        status: 'pending',
        uploaded: true,
      });
      await admin.upload(uniqueJpeg());
      expect((await admin.download(stored)).status).toBe(200);
      expect((await preview(video, 'large')).status).toBe(200);
    });

    it('is used again as soon as there is space, without a restart', async () => {
      pointTo(free);
      expect((await preview(stored, 'large')).status).toBe(200);
      expect((await admin.finalize(session)).status).toBe(201);
      await eventually(async () => expect(await status()).toMatchObject({ status: 'ok' }));
      expect((await ready()).body).toEqual({ status: 'ok' });
      expect(logged('temporary files can be written again')).toBe(1);
      expect(logged('"alarm":"temp_full"')).toBe(1);
    });
  });

  it('reports a directory that does not exist', async () => {
    pointTo(join(folder, 'missing'));
    await eventually(async () =>
      expect(await status()).toMatchObject({ status: 'degraded', checks: { temp: 'not_writable' } }),
    );
    expect((await ready()).status).toBe(200);
    expectProblem(await admin.finalize(await admin.stage(large())), 503, 'server_busy');
    pointTo(free);
  });
});
