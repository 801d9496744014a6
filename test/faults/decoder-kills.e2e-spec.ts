import { spawnSync } from 'node:child_process';
import { eventually } from '../support/eventually.js';
import { FaultyService } from '../support/faults/faulty-service.js';
import { readMetrics } from '../support/services/metrics.js';
import { expectProblem } from '../support/api/problems.js';
import { query, type ServiceProcess } from '../support/services/service.js';
import { FILES, type OpenedSession, SAMPLES, type TestFile, uniqueMp4 } from '../support/api/uploads.js';

/** The ranges that decoders request, of which each finalize and each poster needs at least one. */
const RANGES = { method: 'GET', key: /\/assets\//, query: /X-Amz-Signature/ };

let faulty: FaultyService<ServiceProcess>;
let release = (): void => undefined;
beforeAll(async () => (faulty = await FaultyService.startProcess()));
afterEach(() => {
  release();
  faulty.heal();
});
afterAll(() => faulty?.close());

/** The programs of this service that work on files: decoders and FFmpeg. */
function decoderPids(program = /media\/(child|ffmpeg-wasm)\/main/): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, parent, ...args]) => Number(parent) === faulty.service.process.pid && program.test(args.join(' ')),
    )
    .map(([pid]) => Number(pid));
}

/** Ends every decoder that reads a video, and the read does not complete before `release`. */
function killWhileReading(signal: NodeJS.Signals, nth?: number, meanwhile?: () => Promise<unknown>): void {
  const released = new Promise<void>((resolve) => (release = resolve));
  const before = async () => {
    await meanwhile?.();
    for (const pid of decoderPids()) process.kill(pid, signal);
    return released;
  };
  faulty.store.on({ ...RANGES, ...(nth === undefined ? {} : { nth }) }, { before });
}

const exits = async (reason: string) =>
  (await readMetrics(faulty.service.api)).get(`decoder_exits_total{reason="${reason}"}`) ?? 0;

const stateOf = async ({ sessionId }: OpenedSession) =>
  (await faulty.uploader.status(sessionId)).body.status as string;

const finalizeOnce = async (session: OpenedSession) => {
  const response = await faulty.uploader.finalize(session);
  release();
  faulty.heal();
  return response;
};

describe('A decoder that is killed while it checks an upload', () => {
  it.each<[NodeJS.Signals]>([['SIGKILL'], ['SIGTERM']])(
    'is replaced by another one, by which the file is accepted (%s)',
    async (signal) => {
      const before = await exits('killed');
      const session = await faulty.uploader.stage(uniqueMp4());
      killWhileReading(signal, 1);
      expect((await finalizeOnce(session)).status).toBe(201);
      expect(await exits('killed')).toBe(before + 1);
      expect(faulty.service.output()).toContain(`"signal":"${signal}"`);
    },
  );

  it('leaves the session open if it happens again, so that repeating the request succeeds', async () => {
    const session = await faulty.uploader.stage(uniqueMp4());
    killWhileReading('SIGKILL');
    const refused = await finalizeOnce(session);
    expectProblem(refused, 503, 'server_busy');
    expect(refused.body.detail).toContain('decoder');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await stateOf(session)).toBe('pending');
    expect((await faulty.uploader.finalize(session)).status).toBe(201);
  });

  it('is tried at most five times a day, which the response says; the session stays open', async () => {
    const session = await faulty.uploader.stage(uniqueMp4());
    for (let kill = 1; kill <= 5; kill += 1) {
      killWhileReading('SIGKILL');
      expectProblem(await finalizeOnce(session), 503, 'server_busy');
    }
    const reads = faulty.store.requests.length;
    const refused = await faulty.uploader.finalize(session);
    expectProblem(refused, 503, 'server_busy');
    expect(refused.body.detail).toMatch(/5 times.*memory/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000);
    expect(faulty.store.requests).toHaveLength(reads);
    expect(await stateOf(session)).toBe('pending');
    const [waiting] = await query<{ hours: string }>(
      faulty.databaseUrl,
      'SELECT extract(epoch FROM expires_at - decode_after) / 3600 AS hours FROM upload_sessions WHERE id = $1',
      [session.sessionId],
    );
    // Time enough to try again.
    expect(Number(waiting!.hours)).toBeGreaterThan(12);

    await query(faulty.databaseUrl, 'UPDATE upload_sessions SET decode_after = now() WHERE id = $1', [
      session.sessionId,
    ]);
    expect((await faulty.uploader.finalize(session)).status).toBe(201);
  });

  it('condemns the file if it crashes by itself, twice', async () => {
    const session = await faulty.uploader.stage(uniqueMp4());
    const before = await exits('crashed');
    killWhileReading('SIGSEGV');
    expectProblem(await finalizeOnce(session), 422, 'media_invalid');
    expect(await stateOf(session)).toBe('rejected');
    expect(await exits('crashed')).toBe(before + 2);
  });

  it('does not condemn a picture either', async () => {
    // Starts the decoder that is killed.
    await faulty.uploader.upload(FILES.png);
    const [decoder] = decoderPids();
    process.kill(decoder!, 'SIGSTOP');
    const session = await faulty.uploader.stage(SAMPLES.jpeg);
    const finalizing = faulty.uploader.finalize(session);
    await eventually(async () => expect(await stateOf(session)).toBe('finalizing'));
    process.kill(decoder!, 'SIGKILL');
    expect((await finalizing).status).toBe(201);
  });
});

describe('A decoder that is killed while it makes a preview', () => {
  const upload = async (file: TestFile) => (await faulty.uploader.upload(file)).assetId as string;
  const preview = (assetId: string, size: string) =>
    faulty.uploader.api.get(`${faulty.uploader.base}/${assetId}/preview?size=${size}`);
  const previewOnce = async (assetId: string, size: string) => {
    const response = await preview(assetId, size);
    release();
    faulty.heal();
    return response;
  };
  const failedOf = (assetId: string) =>
    query(faulty.databaseUrl, `SELECT name FROM renditions WHERE asset_id = $1 AND status = 'failed'`, [
      assetId,
    ]);

  it('does not make the preview impossible', async () => {
    const assetId = await upload(uniqueMp4());
    killWhileReading('SIGKILL');
    const refused = await previewOnce(assetId, 'thumb');
    expectProblem(refused, 503, 'server_busy');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await failedOf(assetId)).toEqual([]);
    expect((await preview(assetId, 'thumb')).status).toBe(200);
  });

  it('is tried at most five times a day, whatever the size', async () => {
    const assetId = await upload(uniqueMp4());
    for (const size of ['thumb', 'small', 'thumb', 'small', 'thumb']) {
      killWhileReading('SIGKILL');
      expectProblem(await previewOnce(assetId, size), 503, 'server_busy');
    }
    const reads = faulty.store.requests.length;
    const refused = await preview(assetId, 'thumb');
    expectProblem(refused, 503, 'server_busy');
    expect(refused.body.detail).toMatch(/memory/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1_000);
    expect(faulty.store.requests).toHaveLength(reads);
    expect(await failedOf(assetId)).toEqual([]);

    await query(faulty.databaseUrl, 'UPDATE renditions SET hold_until = now() WHERE asset_id = $1', [
      assetId,
    ]);
    expect((await preview(assetId, 'thumb')).status).toBe(200);
  });

  it.each([
    ['SIGKILL', 503],
    ['SIGSEGV', 422],
  ] as const)(
    'leaves the preview alone that another process has made meanwhile (%s)',
    async (signal, status) => {
      const assetId = await upload(uniqueMp4());
      const stateOfPreview = () =>
        query(faulty.databaseUrl, `SELECT status, kills FROM renditions WHERE asset_id = $1`, [assetId]);
      killWhileReading(signal, undefined, () =>
        query(
          faulty.databaseUrl,
          `UPDATE renditions SET status = 'ready', sha256 = repeat('0', 64), size_bytes = 1, hold_until = NULL
          WHERE asset_id = $1`,
          [assetId],
        ),
      );
      expect((await previewOnce(assetId, 'thumb')).status).toBe(status);
      // `thumb` and `small` are made together.
      const ready = { status: 'ready', kills: 0 };
      expect(await stateOfPreview()).toEqual([ready, ready]);
    },
  );

  it('is tried again after a minute if it crashes by itself, then less and less often, down to once a day', async () => {
    const assetId = await upload(uniqueMp4());
    const waitAfterCrash = async () => {
      killWhileReading('SIGSEGV');
      expectProblem(await previewOnce(assetId, 'thumb'), 422, 'media_invalid');
      const [row] = await query<{ seconds: string }>(
        faulty.databaseUrl,
        'SELECT extract(epoch FROM hold_until - updated_at) AS seconds FROM renditions WHERE asset_id = $1',
        [assetId],
      );
      return Number(row!.seconds);
    };
    const expire = (failures: number) =>
      query(
        faulty.databaseUrl,
        'UPDATE renditions SET hold_until = now(), failures = $2 WHERE asset_id = $1',
        [assetId, failures],
      );
    expect(await waitAfterCrash()).toBe(60);
    await expire(1);
    expect(await waitAfterCrash()).toBe(120);
    await expire(30);
    expect(await waitAfterCrash()).toBe(86_400);
  });

  it('applies to FFmpeg too', async () => {
    await preview(await upload(uniqueMp4()), 'thumb');
    const [ffmpeg] = decoderPids(/ffmpeg-wasm\/main/);
    const assetId = await upload(uniqueMp4());
    process.kill(ffmpeg!, 'SIGSTOP');
    const before = await exits('killed');
    const making = preview(assetId, 'thumb');
    await eventually(async () =>
      expect(
        await query(faulty.databaseUrl, 'SELECT FROM renditions WHERE asset_id = $1', [assetId]),
      ).toHaveLength(2),
    );
    process.kill(ffmpeg!, 'SIGKILL');
    expect((await making).status).toBe(200);
    expect(await exits('killed')).toBe(before + 1);
  });
});
