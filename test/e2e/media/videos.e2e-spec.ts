import type { MediaFacts } from '../../../src/media/media.types.js';
import { demoSample, fixture, MediaHarness, OWNER } from '../../support/media/media-harness.js';
import { box, u32 } from '../../support/media/heif-writer.js';
import { RangeServer } from '../../support/media/range-server.js';

describe('inspecting videos', () => {
  const media = new MediaHarness();
  afterAll(() => media.close());

  async function inspectFrom(server: RangeServer, sizeBytes: number): Promise<MediaFacts> {
    try {
      const source = { kind: 'url' as const, url: server.url, sizeBytes };
      return (await media.decoder.inspect(OWNER, source, 'video/mp4')).facts;
    } finally {
      await server.close();
    }
  }
  const inspect = async (bytes: Buffer) => inspectFrom(await RangeServer.start(bytes), bytes.length);

  it('returns size, duration and date, and no placeholder yet', async () => {
    expect(await inspect(fixture('h264.mp4'))).toEqual({
      width: 160,
      height: 90,
      durationMs: 1000,
      takenAt: new Date('2026-05-17T06:30:00Z'),
      placeholder: null,
    });
  });

  it.each([
    ['hevc.mp4', 160, 90],
    ['vp9.mp4', 160, 90],
    ['moov-last.mp4', 160, 90],
    ['rotated.mp4', 90, 160],
    ['anamorphic.mp4', 320, 90],
  ])('returns the size of %s as players show it', async (name, width, height) => {
    expect(await inspect(fixture(name))).toMatchObject({ width, height, durationMs: 1000 });
  });

  it('accepts a fragmented one, and rejects it when its last fragment is truncated', async () => {
    const bytes = fixture('fragmented.mp4');
    expect((await inspect(bytes)).durationMs).toBe(1000);
    const lastData = bytes.lastIndexOf('mdat');
    await expect(inspect(bytes.subarray(0, lastData + 20))).rejects.toMatchObject({ code: 'media_invalid' });
  });

  it('reads the index and little else of a large file', async () => {
    const [ftyp, rest] = [fixture('moov-last.mp4').subarray(0, 32), fixture('moov-last.mp4').subarray(32)];
    // A large box before the data; the offsets in the sample tables are shifted accordingly.
    const padding = box('free', Buffer.alloc(30_000_000));
    const moved = Buffer.concat([ftyp, padding, rest]);
    const table = moved.indexOf('stco') + 12;
    moved.writeUInt32BE(moved.readUInt32BE(table) + padding.length, table);
    const server = await RangeServer.start(moved);
    expect(await inspectFrom(server, moved.length)).toMatchObject({ width: 160, durationMs: 1000 });
    expect(server.bytesSent).toBeLessThan(300_000);
  });

  it('rejects one whose data ends earlier than its index declares', async () => {
    const first = fixture('h264.mp4');
    for (const lost of [1, 100, 1_500]) {
      await expect(inspect(first.subarray(0, first.length - lost))).rejects.toMatchObject({
        code: 'media_invalid',
      });
    }
    const last = fixture('moov-last.mp4');
    await expect(inspect(last.subarray(0, last.length - 1))).rejects.toMatchObject({ code: 'media_invalid' });
  });

  it('tolerates bytes after the end', async () => {
    expect(await inspect(Buffer.concat([fixture('h264.mp4'), Buffer.alloc(999, 0x41)]))).toMatchObject({
      width: 160,
    });
  });

  it('rejects sound without a picture, and an index with nothing in it', async () => {
    await expect(inspect(fixture('sound-only.mp4'))).rejects.toMatchObject({ code: 'media_invalid' });
    const empty = Buffer.concat([
      fixture('h264.mp4').subarray(0, 32),
      box('moov', box('mvhd', Buffer.alloc(100))),
    ]);
    await expect(inspect(empty)).rejects.toMatchObject({ code: 'media_invalid' });
  });

  it('rejects QuickTime, HEIC and AVIF-like files as not MP4', async () => {
    await expect(inspect(fixture('quicktime.mov'))).rejects.toMatchObject({ code: 'content_mismatch' });
    await expect(inspect(fixture('still.heic'))).rejects.toMatchObject({ code: 'content_mismatch' });
    const avif = box('ftyp', Buffer.from('avif'), u32(0), Buffer.from('avifmif1'));
    await expect(inspect(avif)).rejects.toMatchObject({ code: 'content_mismatch' });
  });

  describe('from a store that fails', () => {
    const bytes = demoSample('steam.mp4');
    const unavailable = { name: 'MediaSourceError' };

    it('retries a failed read once', async () => {
      const server = await RangeServer.start(bytes, (attempt) =>
        attempt === 1 ? (_request, response) => response.writeHead(503).end() : undefined,
      );
      expect(await inspectFrom(server, bytes.length)).toMatchObject({
        width: 1280,
        height: 720,
        durationMs: 4000,
      });
    });

    it.each([500, 503, 403, 404, 200, 302])('does not blame the file for status %i', async (status) => {
      const server = await RangeServer.start(bytes, () => (_request, response) => {
        response.writeHead(status, { location: '/elsewhere' }).end('no');
      });
      await expect(inspectFrom(server, bytes.length)).rejects.toMatchObject(unavailable);
    });

    it('does not blame the file for a cut connection', async () => {
      const server = await RangeServer.start(bytes, () => (request, response) => {
        const length = Number(/-(\d+)$/.exec(request.headers.range ?? '')?.[1]) + 1;
        response.writeHead(206, { 'content-length': length }).write(bytes.subarray(0, 100));
        setTimeout(() => response.destroy(), 20);
      });
      await expect(inspectFrom(server, bytes.length)).rejects.toMatchObject(unavailable);
    });

    it('does not blame the file when the store stops responding midway', async () => {
      const server = await RangeServer.start(fixture('moov-last.mp4'), (attempt) =>
        attempt > 1 ? (_request, response) => response.destroy() : undefined,
      );
      // Claims to be larger than one block, so that a second read is needed.
      await expect(inspectFrom(server, 65_536 + 4_000)).rejects.toMatchObject(unavailable);
    });

    it('does not blame the file when the store does not respond before the timeout', async () => {
      const hasty = new MediaHarness({ videoTimeLimitMs: 700 });
      const server = await RangeServer.start(bytes, () => () => undefined);
      const looking = hasty.decoder.inspect(
        OWNER,
        { kind: 'url', url: server.url, sizeBytes: bytes.length },
        'video/mp4',
      );
      await expect(looking).rejects.toMatchObject(unavailable);
      await Promise.all([hasty.close(), server.close()]);
    });

    it('does not blame the file when the store refuses connections, or the temporary file is gone', async () => {
      const nowhere = { kind: 'url', url: 'http://127.0.0.1:9/x', sizeBytes: 10 } as const;
      await expect(media.decoder.inspect(OWNER, nowhere, 'video/mp4')).rejects.toMatchObject(unavailable);
      const gone = { kind: 'file', path: '/nonexistent/file' } as const;
      await expect(media.decoder.inspect(OWNER, gone, 'image/jpeg')).rejects.toMatchObject({
        name: 'MediaUnavailableError',
      });
    });
  });
});
