import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { Bucket } from '../support/store/bucket.js';
import { eventually } from '../support/eventually.js';
import { residentMb } from '../support/media/media-harness.js';
import { pngClaiming } from '../support/media/picture-files.js';
import { newClient } from '../support/api/people.js';
import { expectProblem, pathsOf } from '../support/api/problems.js';
import { OWNER, type ServiceProcess, startProcess } from '../support/services/service.js';
import { FILES, put, SAMPLES, type TestFile, uniqueJpeg, Uploader } from '../support/api/uploads.js';

const MIMES = Object.values(FILES).map(({ mimeType }) => mimeType);
/** For the service's own process; the decoders are separate. */
const MOST_MB = 350;

describe('Hostile uploads', () => {
  let service: ServiceProcess;
  let bucket: Bucket;
  let admin: Uploader;
  beforeAll(async () => {
    service = await startProcess({ WORKER: 'inline' });
    bucket = new Bucket(service);
    const owner = await service.api.signIn(OWNER);
    admin = Uploader.admin(owner, await newClient(owner));
  });
  afterEach(async () => {
    expect((await service.api.get('/healthz')).status).toBe(200);
    const resident = residentMb(service.process.pid!);
    if (resident !== null) expect(resident).toBeLessThan(MOST_MB);
  });
  afterAll(async () => {
    bucket.close();
    await service.stop();
  });

  const named = (name: string, mimeType: string, bytes: Buffer): TestFile => ({ name, mimeType, bytes });

  /** Rejected permanently with one of the codes, and without creating an asset. */
  const expectRejected = async (file: TestFile, allowed: [number, string][]) => {
    const session = await admin.stage(file);
    const response = await admin.finalize(session);
    const [status, code] = allowed.find(([, one]) => one === response.body.code) ?? allowed[0]!;
    expectProblem(response, status, code);
    expect((await admin.status(session.sessionId)).body).toMatchObject({
      status: 'rejected',
      assetId: null,
      rejection: { code },
    });
    expectProblem(await admin.finalize(session), 409, 'upload_session_closed');
    return code;
  };

  describe('files of a different type', () => {
    const html = '<!doctype html><script>alert(document.cookie)</script>';
    const files: Record<string, Buffer> = {
      HTML: Buffer.from(html),
      SVG: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      JavaScript: Buffer.from('fetch("/admin/users").then(console.log)'),
      PHP: Buffer.from('<?php system($_GET["c"]);'),
      'a zip': Buffer.concat([Buffer.from('504b0304140000000000', 'hex'), Buffer.alloc(200)]),
    };
    it.each(Object.keys(files).flatMap((kind) => MIMES.map((mime) => [kind, mime] as const)))(
      '%s declared as %s: content_mismatch',
      async (kind, mime) => {
        await expectRejected(named('x', mime, files[kind]!), [[415, 'content_mismatch']]);
      },
    );

    it.each(MIMES)('each of the other four types declared as %s: content_mismatch', async (mime) => {
      for (const file of Object.values(FILES).filter(({ mimeType }) => mimeType !== mime)) {
        await expectRejected({ ...file, mimeType: mime }, [[415, 'content_mismatch']]);
      }
    });
  });

  describe('files that are broken', () => {
    it.each(Object.entries(SAMPLES))('a truncated %s: media_invalid', async (_kind, file) => {
      for (const share of [0.5, 0.9]) {
        const bytes = file.bytes.subarray(0, Math.floor(file.bytes.length * share));
        await expectRejected({ ...file, bytes }, [[422, 'media_invalid']]);
      }
    });

    it.each([
      ['60,000 × 60,000 pixels by its header', pngClaiming(60_000, 60_000, 1)],
      ['allowed dimensions and far fewer pixels than it says', pngClaiming(9_000, 9_000, 10)],
      ['no pixels at all', pngClaiming(0, 0, 0)],
    ])('a PNG with %s: media_invalid', async (_case, bytes) => {
      await expectRejected(named('bomb.png', 'image/png', bytes), [[422, 'media_invalid']]);
    });

    it('a JPEG over the pixel limit that is configured', async () => {
      const strict = await service.another({ LIMIT_IMAGE_PIXELS: '10000' });
      try {
        const uploader = new Uploader(admin.api.at(strict.url), admin.base);
        expectProblem(await uploader.finalize(await uploader.stage(FILES.jpeg)), 422, 'media_invalid');
      } finally {
        await strict.stop();
      }
    });
  });

  describe('requests to the store', () => {
    it('a longer, a shorter and an endless PUT are rejected; the bare bytes are accepted', async () => {
      const file = uniqueJpeg();
      const { uploadUrl } = await admin.open(file);
      expect(await put(uploadUrl, file.bytes.subarray(1))).toBe(403);
      expect(await put(uploadUrl, Buffer.concat([file.bytes, file.bytes]))).toBe(403);
      const chunked = await fetch(uploadUrl, {
        method: 'PUT',
        body: new Blob([new Uint8Array(file.bytes)]).stream(),
        duplex: 'half',
      });
      expect(chunked.status).toBeGreaterThanOrEqual(400);
      expect(await bare(uploadUrl, file.bytes)).toBe(200);
    });

    it('a tampered URL is rejected: other key, other length, later expiry, other method', async () => {
      const file = uniqueJpeg();
      const { uploadUrl, sessionId } = await admin.open(file);
      const other = await admin.open(file);
      const tampered = [
        uploadUrl.replace(sessionId, other.sessionId),
        uploadUrl.replace(/\/uploads\/[^?]+/, `/assets/${randomUUID()}/${randomUUID()}`),
        uploadUrl.replace(/X-Amz-Expires=\d+/, 'X-Amz-Expires=604800'),
        uploadUrl.replace(/X-Amz-Signature=\w{4}/, 'X-Amz-Signature=0000'),
        uploadUrl.replace(/X-Amz-SignedHeaders=[^&]+/, 'X-Amz-SignedHeaders=host'),
      ];
      for (const url of tampered) {
        expect(url).not.toBe(uploadUrl);
        expect(await put(url, file.bytes)).toBe(403);
      }
      for (const method of ['GET', 'DELETE', 'POST']) {
        expect((await fetch(uploadUrl, { method })).status).toBeGreaterThanOrEqual(400);
      }
      for (const id of [sessionId, other.sessionId])
        expect((await admin.status(id)).body.uploaded).toBe(false);
    });

    it('a PUT after the expiry is rejected, and a renewed URL works', async () => {
      const hasty = await service.another({ UPLOAD_URL_SECONDS: '3' });
      try {
        const uploader = new Uploader(admin.api.at(hasty.url), admin.base);
        const file = uniqueJpeg();
        const session = await uploader.open(file);
        await eventually(() => expect(Date.now()).toBeGreaterThan(Date.parse(session['expiresAt']) + 1_000));
        expect(await put(session.uploadUrl, file.bytes)).toBe(403);
        const renewed = await uploader.api.post(`${uploader.base}/upload-session/${session.sessionId}/renew`);
        expect(await put(renewed.body.uploadUrl, file.bytes)).toBe(200);
        expect((await uploader.finalize(session)).status).toBe(201);
      } finally {
        await hasty.stop();
      }
    });
  });

  describe('file names', () => {
    it.each([
      ['300 characters', 'x'.repeat(300)],
      ['NUL', 'a\0.jpg'],
      ['a line break', 'a\r\nSet-Cookie: x=y.jpg'],
      ['a control character', 'a\u0007.jpg'],
      ['half a surrogate pair', 'a\ud800.jpg'],
      ['nothing', ''],
    ])('rejects %s', async (_case, name) => {
      const response = await admin.request({ ...FILES.jpeg, name });
      expectProblem(response, 400, 'validation_failed');
      expect([...new Set(pathsOf(response))]).toEqual(['originalFilename']);
    });

    it.each([
      ['../../../etc/passwd', '.._.._.._etc_passwd.jpg'],
      ['..\\windows\\system32.jpg', '.._windows_system32.jpg'],
      ['bakery \u{1F950}\u{1F468}\u200d\u{1F373}.jpg', 'bakery \u{1F950}\u{1F468}\u200d\u{1F373}.jpg'],
      ['evil\u202Egpj.exe', 'evilgpj.exe.jpg'],
      [`it's "quoted"; filename=x.jpg`, `it's "quoted"; filename=x.jpg`],
      ['Größe – 東京.jpg', 'Größe – 東京.jpg'],
      ['%2e%2e%2f%00.jpg', '%2e%2e%2f%00.jpg'],
      [`${'ü'.repeat(251)}.jpg`, `${'ü'.repeat(251)}.jpg`],
      ['.jpg', '.jpg.jpg'],
      [' ', 'file.jpg'],
    ])('keeps %j as text, out of keys, in a complete header', async (name, saved) => {
      const asset = await admin.upload({ ...uniqueJpeg(), name });
      expect(asset.originalFilename).toBe(name);
      expect(asset.title).toMatch(/\S/);
      const { headers, status } = await admin.download(asset.assetId);
      expect(status).toBe(200);
      const disposition = headers.get('content-disposition')!;
      expect(disposition).toMatch(/^attachment; filename[^\r\n]+$/);
      expect(dispositionName(disposition)).toBe(saved);
      expect(headers.get('set-cookie')).toBeNull();
    });

    it('never appear in a key', async () => {
      for (const key of await bucket.keys('clients/')) {
        expect(key).toMatch(
          /^clients\/[\w-]+\/(uploads\/[0-9a-f-]{36}|assets\/[0-9a-f-]{36}\/([0-9a-f-]{36}|renditions\/[a-z]+\.webp))$/,
        );
      }
    });
  });
});

/** A PUT without any header but the length. */
function bare(url: string, bytes: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'PUT', headers: { 'content-length': bytes.length } });
    outgoing.on('error', reject).on('response', (incoming) => {
      incoming.resume();
      resolve(incoming.statusCode!);
    });
    outgoing.end(bytes);
  });
}

/** As RFC 6266 requires, the extended form takes precedence. */
function dispositionName(header: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/.exec(header)?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  const [, quoted, token] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;]+))/.exec(header) ?? [];
  return quoted === undefined ? token! : quoted.replace(/\\(.)/g, '$1');
}
