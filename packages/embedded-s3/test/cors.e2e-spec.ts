import {
  DeleteBucketCorsCommand,
  GetBucketCorsCommand,
  GetObjectCommand,
  PutBucketCorsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { BUCKET, type TestStore, raw, signedRaw, startTestStore } from './store-fixture.js';

const ORIGIN = 'https://app.example.org';

describe('object store: CORS', () => {
  let store: TestStore;
  let url: string;

  beforeAll(async () => {
    store = await startTestStore();
    url = `${store.endpoint}/${BUCKET}/photo.jpg`;
    await store.s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'photo.jpg', Body: 'x' }));
  });
  afterAll(() => store.stop());

  const CORSRules = [
    {
      AllowedOrigins: [ORIGIN, 'https://*.example.net'],
      AllowedMethods: ['GET', 'PUT'],
      AllowedHeaders: ['content-type', 'x-amz-*'],
      ExposeHeaders: ['ETag', 'x-amz-request-id'],
      MaxAgeSeconds: 600,
    },
    { AllowedOrigins: ['*'], AllowedMethods: ['HEAD'] },
  ];
  const configure = () =>
    store.s3.send(new PutBucketCorsCommand({ Bucket: BUCKET, CORSConfiguration: { CORSRules } }));
  const preflight = (origin: string, method: string, headers?: string) =>
    raw(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': method,
        ...(headers && { 'access-control-request-headers': headers }),
      },
    });

  it('is off until configured', async () => {
    await expect(store.s3.send(new GetBucketCorsCommand({ Bucket: BUCKET }))).rejects.toMatchObject({
      name: 'NoSuchCORSConfiguration',
    });
    const response = await preflight(ORIGIN, 'GET');
    expect([response.status, response.code]).toEqual([403, 'AccessForbidden']);
  });

  it('keeps its configuration across a restart, until deleted', async () => {
    await configure();
    await store.restart();
    const read = await store.s3.send(new GetBucketCorsCommand({ Bucket: BUCKET }));
    expect(read.CORSRules).toEqual(CORSRules);
    await store.s3.send(new DeleteBucketCorsCommand({ Bucket: BUCKET }));
    expect((await preflight(ORIGIN, 'GET')).status).toBe(403);
  });

  it.each([
    ['no origin', '<CORSRule><AllowedMethod>GET</AllowedMethod></CORSRule>', 'MalformedXML'],
    ['no rule', '', 'MalformedXML'],
    [
      'an unknown method',
      '<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>PATCH</AllowedMethod></CORSRule>',
      'InvalidRequest',
    ],
    [
      'two wildcards',
      '<CORSRule><AllowedOrigin>*.*</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule>',
      'InvalidRequest',
    ],
  ])('rejects a configuration with %s', async (_, rules, code) => {
    const body = `<CORSConfiguration>${rules}</CORSConfiguration>`;
    const response = await signedRaw(`${store.endpoint}/${BUCKET}?cors=`, { method: 'PUT', body });
    expect([response.status, response.code]).toEqual([400, code]);
  });

  describe('once configured', () => {
    beforeAll(configure);

    it.each([
      [ORIGIN, 'PUT', 'Content-Type, x-amz-meta-a'],
      ['https://eu.example.net', 'GET', undefined],
    ])('allows the preflight of %s for %s', async (origin, method, headers) => {
      const response = await preflight(origin, method, headers);
      expect(response.status).toBe(200);
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, PUT',
        'access-control-expose-headers': 'ETag, x-amz-request-id',
        'access-control-max-age': '600',
        vary: expect.stringContaining('Origin'),
      });
      expect(response.headers['access-control-allow-headers']).toBe(headers?.toLowerCase());
    });

    it.each([
      ['https://evil.example.com', 'PUT', undefined],
      [`${ORIGIN}.evil.com`, 'PUT', undefined],
      ['https://example.net', 'GET', undefined],
      [ORIGIN, 'DELETE', undefined],
      [ORIGIN, 'PUT', 'content-type, x-custom'],
    ])('rejects the preflight of %s for %s with %s', async (origin, method, headers) => {
      const response = await preflight(origin, method, headers);
      expect([response.status, response.code]).toEqual([403, 'AccessForbidden']);
      expect(response.headers['access-control-allow-origin']).toBeUndefined();
    });

    it('requires a preflight to name the method', async () => {
      expect((await raw(url, { method: 'OPTIONS', headers: { origin: ORIGIN } })).status).toBe(400);
    });

    it('responds to any origin with * if the rule says so', async () => {
      expect((await preflight('https://else.where', 'HEAD')).headers['access-control-allow-origin']).toBe(
        '*',
      );
    });

    it('lets the page read actual responses, including errors', async () => {
      const presigned = await getSignedUrl(
        store.s3,
        new GetObjectCommand({ Bucket: BUCKET, Key: 'photo.jpg' }),
      );
      const good = await raw(presigned, { headers: { origin: ORIGIN } });
      const denied = await raw(url, { headers: { origin: ORIGIN } });
      expect([good.status, denied.status]).toEqual([200, 403]);
      for (const { headers } of [good, denied]) {
        expect(headers['access-control-allow-origin']).toBe(ORIGIN);
        expect(headers['access-control-expose-headers']).toContain('ETag');
        expect(headers.vary).toContain('Origin');
      }
    });

    it('sends no CORS headers to other origins, but a Vary header for caches', async () => {
      const presigned = await getSignedUrl(
        store.s3,
        new GetObjectCommand({ Bucket: BUCKET, Key: 'photo.jpg' }),
      );
      const { headers } = await raw(presigned, { headers: { origin: 'https://evil.example.com' } });
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers.vary).toContain('Origin');
    });
  });
});
