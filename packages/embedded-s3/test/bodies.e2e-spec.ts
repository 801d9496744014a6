import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import {
  BUCKET,
  type SignedHeaders,
  type TestStore,
  md5,
  patternBytes,
  raw,
  sha256,
  signHeaders,
  signedRaw,
  startTestStore,
} from './store-fixture.js';

describe('object store: bodies', () => {
  let store: TestStore;
  let url: string;
  let key: string;
  let counter = 0;

  beforeAll(async () => void (store = await startTestStore()));
  afterAll(() => store.stop());
  beforeEach(() => {
    key = `body-${counter++}`;
    url = `${store.endpoint}/${BUCKET}/${key}`;
  });

  const stored = async () => (await signedRaw(url, { method: 'GET' })).text;
  const crcOf = (data: string | Buffer) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(crc32(data));
    return bytes.toString('base64');
  };
  const expectNothingStored = async (blobsBefore: number) => {
    expect((await signedRaw(url, { method: 'GET' })).code).toBe('NoSuchKey');
    expect(await store.blobCount()).toBe(blobsBefore);
  };

  describe('checksums', () => {
    it.each([
      ['content-md5', 'CY9rzUYh03PK3k6DJie09g==', 'BadDigest'],
      ['content-md5', 'short', 'InvalidDigest'],
      ['x-amz-checksum-crc32', 'AAAAAA==', 'BadDigest'],
      ['x-amz-checksum-crc32', 'AAA=', 'InvalidDigest'],
      ['x-amz-checksum-sha256', Buffer.alloc(32).toString('base64'), 'BadDigest'],
      ['x-amz-checksum-sha1', Buffer.alloc(20).toString('base64'), 'BadDigest'],
      ['x-amz-checksum-crc64nvme', 'AAAAAAAAAAA=', 'NotImplemented'],
    ])('rejects %s: %s with %s and keeps nothing', async (name, value, code) => {
      const before = await store.blobCount();
      const response = await signedRaw(url, { method: 'PUT', headers: { [name]: value }, body: 'contents' });
      expect(response.code).toBe(code);
      await expectNothingStored(before);
    });

    it('accepts correct ones, and returns the CRC32 on request', async () => {
      const contentMd5 = Buffer.from(md5('hello'), 'hex').toString('base64');
      const headers = { 'content-md5': contentMd5, 'x-amz-checksum-crc32': crcOf('hello') };
      expect((await signedRaw(url, { method: 'PUT', headers, body: 'hello' })).status).toBe(200);
      const command = new HeadObjectCommand({ Bucket: BUCKET, Key: key, ChecksumMode: 'ENABLED' });
      expect(await store.s3.send(command)).toMatchObject({
        ETag: `"${md5('hello')}"`,
        ChecksumCRC32: crcOf('hello'),
      });
    });

    it.each(['CRC32', 'SHA1', 'SHA256'] as const)('agrees with the SDK on %s', async (ChecksumAlgorithm) => {
      const s3 = store.client({ responseChecksumValidation: 'WHEN_SUPPORTED' });
      await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: key, Body: 'agreed', ChecksumAlgorithm }));
      const { Body } = await s3.send(
        new GetObjectCommand({ Bucket: BUCKET, Key: key, ChecksumMode: 'ENABLED' }),
      );
      expect(await Body!.transformToString()).toBe('agreed');
    });
  });

  describe('aws-chunked', () => {
    const unsignedHeaders = (decoded: number, more: Record<string, string> = {}) => ({
      'content-encoding': 'aws-chunked',
      'x-amz-decoded-content-length': String(decoded),
      'x-amz-trailer': 'x-amz-checksum-crc32',
      ...more,
    });
    const putChunked = (body: string, decoded: number, more?: Record<string, string>) =>
      signedRaw(url, {
        method: 'PUT',
        payload: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
        headers: unsignedHeaders(decoded, more),
        body,
      });
    const crc = crcOf('hello world');

    it('decodes what the SDK sends for a stream', async () => {
      const contents = patternBytes(3_000_000);
      const s3 = store.client({ requestChecksumCalculation: 'WHEN_SUPPORTED' });
      const Body = Readable.from(
        (function* () {
          for (let at = 0; at < contents.length; at += 70_001) yield contents.subarray(at, at + 70_001);
        })(),
      );
      await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: key, Body, ContentLength: contents.length }));
      const got = await signedRaw(url, { method: 'GET' });
      expect(got.body.equals(contents)).toBe(true);
      expect(got.headers['content-encoding']).toBeUndefined();
    });

    it('keeps other content encodings', async () => {
      const body = `b\r\nhello world\r\n0\r\nx-amz-checksum-crc32:${crc}\r\n\r\n`;
      expect((await putChunked(body, 11, { 'content-encoding': 'aws-chunked,gzip' })).status).toBe(200);
      expect((await signedRaw(url, { method: 'GET' })).headers['content-encoding']).toBe('gzip');
    });

    it.each([
      [
        'a wrong trailing checksum',
        'b\r\nhello world\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n',
        'BadDigest',
      ],
      ['a missing trailer', 'b\r\nhello world\r\n0\r\n\r\n', 'MalformedTrailerError'],
      [
        'fewer bytes than declared',
        `5\r\nhello\r\n0\r\nx-amz-checksum-crc32:${crc}\r\n\r\n`,
        'IncompleteBody',
      ],
      [
        'more bytes than declared',
        `c\r\nhello world!\r\n0\r\nx-amz-checksum-crc32:${crc}\r\n\r\n`,
        'IncompleteBody',
      ],
      ['no last chunk', 'b\r\nhello world\r\n', 'IncompleteBody'],
      ['a chunk longer than its declared size', `5\r\nhello world\r\n0\r\n\r\n`, 'InvalidRequest'],
      ['an invalid chunk size', `zz\r\nhello world\r\n0\r\n\r\n`, 'InvalidRequest'],
      [
        'bytes after the end',
        `b\r\nhello world\r\n0\r\nx-amz-checksum-crc32:${crc}\r\n\r\nmore`,
        'IncompleteBody',
      ],
      ['an endless chunk header', 'f'.repeat(20_000), 'InvalidRequest'],
    ])('rejects %s and keeps nothing', async (_, body, code) => {
      const before = await store.blobCount();
      const response = await putChunked(body, 11);
      expect([response.status, response.code]).toEqual([400, code]);
      await expectNothingStored(before);
    });

    it('requires the decoded length', async () => {
      const options = { method: 'PUT', payload: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER', body: '0\r\n\r\n' };
      expect((await signedRaw(url, options)).code).toBe('MissingContentLength');
    });

    describe('with signed chunks', () => {
      const hmac = (signed: SignedHeaders, lines: string[]) =>
        createHmac('sha256', signed.signingKey).update(lines.join('\n')).digest('hex');
      const signedBody = (signed: SignedHeaders, chunks: string[], trailer?: string) => {
        let previous = signed.signature;
        let body = '';
        for (const chunk of [...chunks, '']) {
          const lines = [signed.timestamp, signed.scope, previous, sha256(''), sha256(chunk)];
          previous = hmac(signed, ['AWS4-HMAC-SHA256-PAYLOAD', ...lines]);
          body += `${chunk.length.toString(16)};chunk-signature=${previous}\r\n${chunk ? `${chunk}\r\n` : ''}`;
        }
        if (trailer) {
          const lines = [signed.timestamp, signed.scope, previous, sha256(`${trailer}\n`)];
          body += `${trailer}\r\nx-amz-trailer-signature:${hmac(signed, ['AWS4-HMAC-SHA256-TRAILER', ...lines])}\r\n`;
        }
        return `${body}\r\n`;
      };
      const send = (payload: string, alter: (body: string) => string, trailer?: string) => {
        const headers = {
          'x-amz-decoded-content-length': '11',
          ...(trailer && { 'x-amz-trailer': trailer.split(':')[0]! }),
        };
        const signed = signHeaders(url, { method: 'PUT', payload, headers });
        const body = alter(signedBody(signed, ['hello', ' world'], trailer));
        return raw(url, { method: 'PUT', headers: signed.headers, body });
      };
      const plain = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD';
      const withTrailer = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER';

      it('accepts them', async () => {
        expect((await send(plain, (body) => body)).status).toBe(200);
        expect(await stored()).toBe('hello world');
        expect((await send(withTrailer, (body) => body, `x-amz-checksum-crc32:${crc}`)).status).toBe(200);
      });

      it.each([
        ['a changed chunk', (body: string) => body.replace('hello', 'jello')],
        ['chunks without signatures', (body: string) => body.replace(/;chunk-signature=\w+/g, '')],
        ['a changed last signature', (body: string) => body.replace(/(0;chunk-signature=).{4}/, '$10000')],
      ])('rejects %s and keeps nothing', async (_, alter) => {
        const before = await store.blobCount();
        const response = await send(plain, alter);
        expect([response.status, response.code]).toEqual([403, 'SignatureDoesNotMatch']);
        await expectNothingStored(before);
      });

      it('rejects a trailer whose signature is wrong or missing', async () => {
        for (const pattern of [/(trailer-signature:).{4}/, /(x-amz-)trailer-signature:.*\r\n/]) {
          const alter = (body: string) =>
            body.replace(pattern, pattern.source.includes('.*') ? '' : '$10000');
          const response = await send(withTrailer, alter, `x-amz-checksum-crc32:${crc}`);
          expect(response.code).toBe('SignatureDoesNotMatch');
        }
      });
    });
  });

  it('stores nothing of an interrupted upload', async () => {
    const before = await store.blobCount();
    const { headers } = signHeaders(url, { method: 'PUT' });
    const lines = Object.entries({ ...headers, 'content-length': '1000000' }).map(
      ([k, v]) => `${k}: ${v}\r\n`,
    );
    const socket = connect(store.port, '127.0.0.1');
    socket.write(`PUT /${BUCKET}/${key} HTTP/1.1\r\n${lines.join('')}\r\n`);
    socket.write(Buffer.alloc(400_000));
    while ((await store.blobCount()) === before) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    while ((await store.blobCount()) > before) await new Promise((resolve) => setImmediate(resolve));
    await expectNothingStored(before);
  });

  it('rejects more than 5 GiB before a byte is sent', async () => {
    const { headers } = signHeaders(url, { method: 'PUT' });
    const length = { 'content-length': String(5 * 1024 ** 3 + 1), expect: '100-continue' };
    const outgoing = httpRequest(url, { method: 'PUT', headers: { ...headers, ...length } });
    outgoing.flushHeaders();
    const [response] = (await once(outgoing, 'response')) as [Readable & { statusCode: number }];
    expect(response.statusCode).toBe(400);
    expect(Buffer.concat(await response.toArray()).toString()).toContain('<Code>EntityTooLarge</Code>');
    outgoing.destroy();
  });

  describe('Expect: 100-continue', () => {
    const ask = async (secret?: string) => {
      const { headers } = signHeaders(url, { method: 'PUT', secret });
      const outgoing = httpRequest(url, {
        method: 'PUT',
        headers: { ...headers, 'content-length': '4', expect: '100-continue' },
      });
      outgoing.flushHeaders();
      const events: string[] = [];
      outgoing.on('continue', () => {
        events.push('continue');
        outgoing.end('body');
      });
      const [response] = (await once(outgoing, 'response')) as [Readable & { statusCode: number }];
      await response.toArray();
      outgoing.destroy();
      return [...events, response.statusCode];
    };

    it('requests the body of an accepted upload', async () => expect(await ask()).toEqual(['continue', 200]));
    it('rejects an upload without receiving its body', async () => expect(await ask('guess')).toEqual([403]));
  });

  describe('rejected while a large body is being sent', () => {
    const large = Buffer.alloc(24 * 1024 * 1024);

    it('lets fetch see the rejection', async () => {
      const response = await fetch(url, { method: 'PUT', body: large });
      expect([response.status, await response.text()]).toEqual([
        403,
        expect.stringContaining('AccessDenied'),
      ]);
    });

    it('lets a plain client see the rejection of a presigned upload', async () => {
      const command = new PutObjectCommand({ Bucket: BUCKET, Key: key, ContentLength: 5 });
      const signableHeaders = new Set(['host', 'content-length']);
      const presigned = await getSignedUrl(store.s3, command, { expiresIn: 60, signableHeaders });
      const response = await raw(presigned, { method: 'PUT', body: large });
      expect([response.status, response.code]).toEqual([403, 'SignatureDoesNotMatch']);
    });

    it('lets a client that only reads after it has sent everything see the rejection, as browsers do', async () => {
      const socket = connect(store.port, '127.0.0.1').pause();
      socket.write(`PUT /${BUCKET}/${key} HTTP/1.1\r\nhost: x\r\ncontent-length: ${large.length}\r\n\r\n`);
      await new Promise<void>((resolve, reject) => {
        socket.on('error', reject);
        socket.write(large, () => resolve());
      });
      const response = Buffer.concat((await socket.toArray()) as Buffer[]).toString();
      expect(response).toMatch(/^HTTP\/1.1 403 Forbidden\r\n[^]*<Code>AccessDenied<\/Code>/);
    });

    it('lets the SDK see the rejection', async () => {
      const stranger = store.client({ credentials: { accessKeyId: 'test-key', secretAccessKey: 'guess' } });
      const sending = stranger.send(new PutObjectCommand({ Bucket: BUCKET, Key: key, Body: large }));
      await expect(sending).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
    });
  });
});
