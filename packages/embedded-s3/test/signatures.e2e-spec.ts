import {
  GetObjectCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import {
  BUCKET,
  type TestStore,
  raw,
  sha256,
  signHeaders,
  signedRaw,
  startTestStore,
} from './store-fixture.js';

describe('object store: signatures', () => {
  let store: TestStore;
  let objectUrl: string;

  beforeAll(async () => {
    store = await startTestStore();
    objectUrl = `${store.endpoint}/${BUCKET}/photo.jpg`;
    await store.s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'photo.jpg', Body: 'a photo' }));
  });
  afterAll(() => store.stop());

  const presignPut = (size: number, key = 'staged.bin', expiresIn = 60, signingDate = new Date()) =>
    getSignedUrl(store.s3, new PutObjectCommand({ Bucket: BUCKET, Key: key, ContentLength: size }), {
      expiresIn,
      signingDate,
      signableHeaders: new Set(['host', 'content-length']),
    });
  const presignGet = (options: { expiresIn?: number; signingDate?: Date } = {}) =>
    getSignedUrl(store.s3, new GetObjectCommand({ Bucket: BUCKET, Key: 'photo.jpg' }), {
      expiresIn: 60,
      ...options,
    });

  describe('anonymous requests', () => {
    it.each(['GET', 'HEAD', 'PUT', 'POST', 'DELETE'])('rejects %s', async (method) => {
      const response = await raw(objectUrl, { method });
      expect(response.status).toBe(403);
      expect(response.code).toBe(method === 'HEAD' ? undefined : 'AccessDenied');
    });

    it('does not reveal whether a bucket exists', async () => {
      const response = await raw(`${store.endpoint}/nothing-here?list-type=2`);
      expect([response.status, response.code]).toEqual([403, 'AccessDenied']);
    });
  });

  describe('in the Authorization header', () => {
    it('accepts any region', async () => {
      for (const region of ['auto', 'us-east-1', 'mars-1']) {
        const { Buckets } = await store.client({ region }).send(new ListBucketsCommand({}));
        expect(Buckets?.map(({ Name }) => Name)).toEqual([BUCKET]);
      }
    });

    it('rejects a wrong secret and an unknown key', async () => {
      const wrong = await signedRaw(objectUrl, { method: 'GET', secret: 'guess' });
      expect([wrong.status, wrong.code]).toEqual([403, 'SignatureDoesNotMatch']);
      const unknown = await signedRaw(objectUrl, { method: 'GET', accessKeyId: 'someone' });
      expect([unknown.status, unknown.code]).toEqual([403, 'InvalidAccessKeyId']);
    });

    it.each([
      ['ahead', 16 * 60_000],
      ['behind', -16 * 60_000],
    ])('rejects a clock more than a quarter of an hour %s', async (_, shift) => {
      const response = await signedRaw(objectUrl, { method: 'GET', date: new Date(Date.now() + shift) });
      expect([response.status, response.code]).toEqual([403, 'RequestTimeTooSkewed']);
      const fine = await signedRaw(objectUrl, { method: 'GET', date: new Date(Date.now() + shift * 0.8) });
      expect(fine.status).toBe(200);
    });

    it('rejects a signature made for another method, key or query', async () => {
      const { headers } = signHeaders(objectUrl, { method: 'GET' });
      const others: [string, string][] = [
        ['DELETE', objectUrl],
        ['GET', `${store.endpoint}/${BUCKET}/other.jpg`],
        ['GET', `${objectUrl}?response-content-type=text/html`],
      ];
      for (const [method, url] of others) {
        const response = await raw(url, { method, headers });
        expect([response.status, response.code]).toEqual([403, 'SignatureDoesNotMatch']);
      }
      expect((await raw(objectUrl, { headers })).text).toBe('a photo');
    });

    it('rejects a signed header that was changed', async () => {
      const { headers } = signHeaders(objectUrl, { method: 'GET', headers: { range: 'bytes=0-1' } });
      const response = await raw(objectUrl, { headers: { ...headers, range: 'bytes=0-6' } });
      expect(response.code).toBe('SignatureDoesNotMatch');
    });

    it('rejects x-amz headers that are not signed', async () => {
      const response = await signedRaw(objectUrl, {
        method: 'PUT',
        body: 'x',
        unsigned: { 'x-amz-meta-role': 'admin' },
      });
      expect([response.status, response.code]).toEqual([403, 'AccessDenied']);
      expect(response.text).toContain('<HeadersNotSigned>x-amz-meta-role</HeadersNotSigned>');
    });

    it('is not confused by signed headers named like parts of an object', async () => {
      const { headers } = signHeaders(objectUrl, { method: 'GET' });
      const authorization = headers['authorization']!.replace(
        'SignedHeaders=',
        'SignedHeaders=constructor;__proto__;',
      );
      const response = await raw(objectUrl, { headers: { ...headers, authorization } });
      expect([response.status, response.code]).toEqual([403, 'SignatureDoesNotMatch']);
    });

    it('rejects a body that does not match its hash, and stores nothing of it', async () => {
      const url = `${store.endpoint}/${BUCKET}/hashed`;
      const payload = sha256('right');
      const wrong = await signedRaw(url, { method: 'PUT', payload, body: 'wrong' });
      expect([wrong.status, wrong.code]).toEqual([400, 'XAmzContentSHA256Mismatch']);
      expect((await signedRaw(url, { method: 'GET' })).code).toBe('NoSuchKey');
      expect((await signedRaw(url, { method: 'PUT', payload, body: 'right' })).status).toBe(200);
    });

    it.each([
      ['AWS4-HMAC-SHA256 nonsense', 'AuthorizationHeaderMalformed'],
      ['AWS test-key:abc', 'AuthorizationHeaderMalformed'],
    ])('rejects %j as malformed', async (authorization, code) => {
      const response = await raw(objectUrl, { headers: { authorization } });
      expect([response.status, response.code]).toEqual([400, code]);
    });
  });

  describe('presigned', () => {
    it('serves a GET, for fetch and any other client', async () => {
      const response = await fetch(await presignGet());
      expect([response.status, await response.text()]).toEqual([200, 'a photo']);
    });

    it('rejects another method, another key and a changed query', async () => {
      const url = await presignGet();
      const attempts = [
        raw(url, { method: 'HEAD' }),
        raw(url, { method: 'DELETE' }),
        raw(url.replace('photo.jpg', 'photo.jpeg')),
        raw(`${url}&response-content-type=text%2Fhtml`),
        raw(url.replace('X-Amz-Expires=60', 'X-Amz-Expires=600')),
      ];
      for (const response of await Promise.all(attempts)) expect(response.status).toBe(403);
    });

    it('accepts a PUT of the signed length, and keeps the unsigned content type', async () => {
      const response = await raw(await presignPut(5, 'five'), {
        method: 'PUT',
        headers: { 'content-type': 'image/png' },
        body: 'five!',
      });
      expect(response.status).toBe(200);
      const head = await store.s3.send(new HeadObjectCommand({ Bucket: BUCKET, Key: 'five' }));
      expect([head.ContentLength, head.ContentType]).toEqual([5, 'image/png']);
    });

    it.each([4, 6, 0])('rejects a PUT of %i bytes where five were signed', async (size) => {
      const response = await raw(await presignPut(5), { method: 'PUT', body: Buffer.alloc(size) });
      expect([response.status, response.code]).toEqual([403, 'SignatureDoesNotMatch']);
    });

    it('requires the length in advance', async () => {
      const headers = { 'transfer-encoding': 'chunked' };
      const response = await raw(await presignPut(5), { method: 'PUT', headers, body: 'five!' });
      expect([response.status, response.code]).toEqual([411, 'MissingContentLength']);
    });

    it.each(['x-amz-acl', 'x-amz-copy-source', 'x-amz-meta-owner', 'x-amz-tagging'])(
      'does not let %s be added',
      async (name) => {
        const response = await raw(await presignPut(1), {
          method: 'PUT',
          headers: { [name]: 'x' },
          body: 'x',
        });
        expect([response.status, response.code]).toEqual([403, 'AccessDenied']);
      },
    );

    it('expires', async () => {
      const signingDate = new Date(Date.now() - 61_000);
      const expired = await raw(await presignGet({ signingDate }));
      expect([expired.status, expired.code]).toEqual([403, 'AccessDenied']);
      expect(expired.text).toContain('Request has expired');
      expect((await raw(await presignGet({ signingDate, expiresIn: 120 }))).status).toBe(200);
      const put = await raw(await presignPut(1, 'late', 60, signingDate), { method: 'PUT', body: 'x' });
      expect(put.status).toBe(403);
    });

    it('is rejected when dated into the future or valid for more than a week', async () => {
      const future = await raw(await presignGet({ signingDate: new Date(Date.now() + 20 * 60_000) }));
      expect([future.status, future.text]).toEqual([403, expect.stringContaining('not yet valid')]);
      const url = (await presignGet()).replace('X-Amz-Expires=60', 'X-Amz-Expires=604801');
      const long = await raw(url);
      expect([long.status, long.code]).toEqual([400, 'AuthorizationQueryParametersError']);
    });

    it('cannot be mixed with a signature in the header', async () => {
      const { headers } = signHeaders(objectUrl, { method: 'GET' });
      expect((await raw(await presignGet(), { headers })).code).toBe('InvalidArgument');
    });

    it('honours x-amz headers hoisted into the query, such as the checksum the SDK adds by default', async () => {
      const s3 = store.client({ requestChecksumCalculation: 'WHEN_SUPPORTED' });
      const url = await getSignedUrl(s3, new PutObjectCommand({ Bucket: BUCKET, Key: 'trap' }), {
        expiresIn: 60,
      });
      expect(url).toContain('x-amz-checksum-crc32=AAAAAA');
      const response = await raw(url, { method: 'PUT', body: 'not empty' });
      expect([response.status, response.code]).toEqual([400, 'BadDigest']);
    });
  });
});
