import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketLocationCommand,
  GetObjectAclCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  type HeadObjectCommandInput,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { BUCKET, type TestStore, md5, raw, signedRaw, startTestStore } from './store-fixture.js';

describe('object store: objects and buckets', () => {
  let store: TestStore;

  beforeAll(async () => void (store = await startTestStore()));
  afterAll(() => store.stop());

  const put = (Key: string, Body: string | Buffer, more: object = {}) =>
    store.s3.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body, ...more }));
  const get = async (Key: string, more: object = {}) => {
    const response = await store.s3.send(new GetObjectCommand({ Bucket: BUCKET, Key, ...more }));
    return { ...response, text: await response.Body!.transformToString() };
  };
  const head = (Key: string, more: Partial<HeadObjectCommandInput> = {}) =>
    store.s3.send(new HeadObjectCommand({ Bucket: BUCKET, Key, ...more }));
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => 'accepted',
      (error: { name: string; $metadata: { httpStatusCode: number } }) =>
        `${error.$metadata.httpStatusCode} ${error.name}`,
    );

  it('returns what was put, with its headers', async () => {
    const { ETag } = await put('full', 'contents', {
      ContentType: 'image/webp',
      CacheControl: 'max-age=60',
      ContentDisposition: 'attachment; filename="a.webp"',
      ContentEncoding: 'identity',
      Metadata: { owner: 'ada', empty: '' },
    });
    expect(ETag).toBe(`"${md5('contents')}"`);
    const got = await get('full');
    expect(got).toMatchObject({
      text: 'contents',
      ETag,
      ContentLength: 8,
      ContentType: 'image/webp',
      CacheControl: 'max-age=60',
      ContentDisposition: 'attachment; filename="a.webp"',
      ContentEncoding: 'identity',
      AcceptRanges: 'bytes',
      Metadata: { owner: 'ada', empty: '' },
    });
    expect(Math.abs(got.LastModified!.getTime() - Date.now())).toBeLessThan(10_000);
    expect(await head('full')).toMatchObject({ ETag, ContentLength: 8, ContentType: 'image/webp' });
  });

  it('stores empty objects, as binary/octet-stream by default', async () => {
    const url = `${store.endpoint}/${BUCKET}/empty`;
    expect((await signedRaw(url, { method: 'PUT', body: '' })).status).toBe(200);
    expect(await get('empty')).toMatchObject({
      text: '',
      ContentLength: 0,
      ContentType: 'binary/octet-stream',
    });
  });

  it('replaces an object completely, including metadata', async () => {
    await put('twice', 'first', { Metadata: { a: '1' } });
    await put('twice', 'second');
    expect(await get('twice')).toMatchObject({ text: 'second', Metadata: {} });
  });

  it('deletes, and allows deleting what does not exist', async () => {
    await put('gone', 'x');
    await store.s3.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'gone' }));
    expect(await refusal(get('gone'))).toBe('404 NoSuchKey');
    await store.s3.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'gone' }));
  });

  it('deletes many objects in one request', async () => {
    await Promise.all(['many/1', 'many/<2>&"', 'many/3'].map((key) => put(key, key)));
    const Objects = [{ Key: 'many/1' }, { Key: 'many/<2>&"' }, { Key: 'many/none' }];
    const { Deleted } = await store.s3.send(
      new DeleteObjectsCommand({ Bucket: BUCKET, Delete: { Objects } }),
    );
    expect(Deleted?.map(({ Key }) => Key)).toEqual(['many/1', 'many/<2>&"', 'many/none']);
    const { Contents } = await store.s3.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix: 'many/' }));
    expect(Contents?.map(({ Key }) => Key)).toEqual(['many/3']);
  });

  it.each([
    ['that is not closed', '<Delete><Object><Key>a</Key></Object>'],
    [
      'with custom entities',
      '<!DOCTYPE x [<!ENTITY e "a">]><Delete><Object><Key>&e;</Key></Object></Delete>',
    ],
    ['with a different root element', '<Remove/>'],
    ['with more than a thousand keys', `<Delete>${'<Object><Key>a</Key></Object>'.repeat(1001)}</Delete>`],
    ['of more than a megabyte', `<Delete>${' '.repeat(1024 * 1024)}<Object><Key>a</Key></Object></Delete>`],
  ])('rejects a deletion document %s', async (_what, body) => {
    const response = await signedRaw(`${store.endpoint}/${BUCKET}?delete=`, { method: 'POST', body });
    expect([response.status, response.code]).toEqual([400, 'MalformedXML']);
  });

  describe('keys', () => {
    const awkward = [
      'a',
      'a/b',
      'a/b/',
      '../../escape',
      '..',
      './x/../y',
      '/leading//double/',
      'UPPER',
      'upper',
      'sp ace+plus%20percent',
      "quote'(paren)*!~&=?#@:;,$",
      'ünïcödé/日本/😀',
      'back\\slash',
      'new\nline',
      `long/${'x'.repeat(1019)}`,
    ];

    it('may be anything, and are never paths', async () => {
      for (const key of awkward) await put(`${key}`, `contents of ${key}`);
      for (const key of awkward) expect((await get(key)).text).toBe(`contents of ${key}`);
    });

    it('must fit into 1024 bytes', async () => {
      expect(await refusal(put('é'.repeat(513), 'x'))).toBe('400 KeyTooLongError');
    });

    it('must be encoded properly', async () => {
      const response = await raw(`${store.endpoint}/${BUCKET}/%zz`);
      expect([response.status, response.code]).toEqual([400, 'InvalidURI']);
      expect((await raw(`${store.endpoint}/${BUCKET}/%ff`)).code).toBe('InvalidURI');
    });
  });

  describe('ranges', () => {
    beforeAll(() => put('digits', '0123456789'));

    it.each([
      ['bytes=0-3', '0123', 'bytes 0-3/10'],
      ['bytes=7-', '789', 'bytes 7-9/10'],
      ['bytes=-2', '89', 'bytes 8-9/10'],
      ['bytes=-99', '0123456789', 'bytes 0-9/10'],
      ['bytes=8-99', '89', 'bytes 8-9/10'],
    ])('%s gives %s', async (Range, text, ContentRange) => {
      const got = await get('digits', { Range });
      expect(got).toMatchObject({ text, ContentRange, ContentLength: text.length });
      expect(got.$metadata.httpStatusCode).toBe(206);
    });

    it.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('%s cannot be satisfied', async (range) => {
      const url = `${store.endpoint}/${BUCKET}/digits`;
      const response = await signedRaw(url, { method: 'GET', headers: { range } });
      expect([response.status, response.code, response.headers['content-range']]).toEqual([
        416,
        'InvalidRange',
        'bytes */10',
      ]);
    });

    it.each(['bytes=5-2', 'bytes=0-1,3-4', 'bytes=', 'lines=1-2'])('%s is ignored', async (Range) => {
      const got = await get('digits', { Range });
      expect([got.$metadata.httpStatusCode, got.text]).toEqual([200, '0123456789']);
    });

    it('apply to HEAD as well', async () => {
      expect(await head('digits', { Range: 'bytes=2-4' })).toMatchObject({ ContentLength: 3 });
    });
  });

  describe('conditions', () => {
    let etag: string;
    beforeEach(async () => void (etag = (await put('conditional', 'now')).ETag!));

    it('guard reads', async () => {
      expect((await get('conditional', { IfMatch: etag })).text).toBe('now');
      expect(await refusal(get('conditional', { IfMatch: '"other"' }))).toBe('412 PreconditionFailed');
      expect((await get('conditional', { IfNoneMatch: '"other"' })).text).toBe('now');
      expect(await refusal(get('conditional', { IfNoneMatch: etag }))).toMatch(/^304/);
      expect(await refusal(head('conditional', { IfNoneMatch: etag }))).toMatch(/^304/);
      const [past, future] = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)];
      expect((await get('conditional', { IfModifiedSince: past })).text).toBe('now');
      expect(await refusal(get('conditional', { IfModifiedSince: future }))).toMatch(/^304/);
      expect(await refusal(get('conditional', { IfUnmodifiedSince: past }))).toBe('412 PreconditionFailed');
    });

    it('guard writes', async () => {
      expect(await refusal(put('conditional', 'x', { IfNoneMatch: '*' }))).toBe('412 PreconditionFailed');
      expect(await refusal(put('conditional', 'x', { IfMatch: '"other"' }))).toBe('412 PreconditionFailed');
      expect(await refusal(put('absent', 'x', { IfMatch: etag }))).toBe('404 NoSuchKey');
      expect((await get('conditional')).text).toBe('now');
      await put('conditional', 'next', { IfMatch: etag });
      await put('brand-new', 'x', { IfNoneMatch: '*' });
      expect((await get('conditional')).text).toBe('next');
    });

    it('guard deletions', async () => {
      const remove = (IfMatch: string) =>
        store.s3.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'conditional', IfMatch }));
      expect(await refusal(remove('"other"'))).toBe('412 PreconditionFailed');
      await remove(etag);
      expect(await refusal(get('conditional'))).toBe('404 NoSuchKey');
    });

    it('let exactly one of many concurrent creations succeed', async () => {
      const attempts = Array.from({ length: 20 }, (_, i) => put('race', `winner ${i}`, { IfNoneMatch: '*' }));
      const outcomes = await Promise.allSettled(attempts);
      const winners = outcomes.flatMap(({ status }, i) => (status === 'fulfilled' ? [`winner ${i}`] : []));
      expect(winners).toHaveLength(1);
      expect((await get('race')).text).toBe(winners[0]);
    });
  });

  it('lets a presigned URL set the headers of the response', async () => {
    await put('shown', 'x', { ContentType: 'text/plain' });
    const command = new GetObjectCommand({
      Bucket: BUCKET,
      Key: 'shown',
      ResponseContentDisposition: `attachment; filename="ü.txt"; filename*=UTF-8''%C3%BC.txt`,
      ResponseContentType: 'application/x-thing',
    });
    const response = await raw(await getSignedUrl(store.s3, command, { expiresIn: 60 }));
    expect(response.headers['content-disposition']).toBe(
      `attachment; filename="ü.txt"; filename*=UTF-8''%C3%BC.txt`,
    );
    expect(response.headers['content-type']).toBe('application/x-thing');
  });

  it('rejects header values from a query that would break out of the header', async () => {
    const command = new GetObjectCommand({
      Bucket: BUCKET,
      Key: 'shown',
      ResponseContentType: 'a\r\nx-evil: 1',
    });
    const response = await raw(await getSignedUrl(store.s3, command, { expiresIn: 60 }));
    expect([response.status, response.code]).toEqual([400, 'InvalidArgument']);
  });

  it('rejects what it does not implement, instead of ignoring it', async () => {
    expect(await refusal(put('public', 'x', { ACL: 'public-read' }))).toBe('501 NotImplemented');
    await put('private', 'x', { ACL: 'private' });
    const acl = store.s3.send(new GetObjectAclCommand({ Bucket: BUCKET, Key: 'private' }));
    expect(await refusal(acl)).toBe('501 NotImplemented');
    const url = `${store.endpoint}/${BUCKET}/private?tagging=`;
    expect((await signedRaw(url, { method: 'PUT', body: '<Tagging/>' })).code).toBe('NotImplemented');
    expect((await get('private')).text).toBe('x');
  });

  it('limits user metadata to 2 KiB', async () => {
    expect(await refusal(put('heavy', 'x', { Metadata: { a: 'x'.repeat(2048) } }))).toBe(
      '400 MetadataTooLarge',
    );
  });

  it('returns errors as S3 does', async () => {
    const response = await signedRaw(`${store.endpoint}/${BUCKET}/n%26o`, { method: 'GET' });
    expect(response.status).toBe(404);
    expect(response.headers['content-type']).toBe('application/xml');
    expect(response.text).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<Error><Code>NoSuchKey<\/Code><Message>/,
    );
    expect(response.text).toContain('<Key>n&amp;o</Key>');
    expect(response.text).toContain(`<RequestId>${String(response.headers['x-amz-request-id'])}</RequestId>`);
    const headResponse = await signedRaw(`${store.endpoint}/${BUCKET}/nothing`, { method: 'HEAD' });
    expect([headResponse.status, headResponse.body.length]).toEqual([404, 0]);
  });

  describe('buckets', () => {
    it('are created, found, located and deleted when empty', async () => {
      const Bucket = 'second.bucket-2';
      const headBucket = () => refusal(store.s3.send(new HeadBucketCommand({ Bucket })));
      expect(await headBucket()).toMatch(/^404/);
      await store.s3.send(new CreateBucketCommand({ Bucket }));
      expect(await headBucket()).toBe('accepted');
      await store.s3.send(new GetBucketLocationCommand({ Bucket }));
      expect(await refusal(store.s3.send(new CreateBucketCommand({ Bucket })))).toBe(
        '409 BucketAlreadyOwnedByYou',
      );
      await store.s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }));
      const deleteBucket = () => refusal(store.s3.send(new DeleteBucketCommand({ Bucket })));
      expect(await deleteBucket()).toBe('409 BucketNotEmpty');
      await store.s3.send(new DeleteObjectCommand({ Bucket, Key: 'k' }));
      expect(await deleteBucket()).toBe('accepted');
      expect(await headBucket()).toMatch(/^404/);
      expect(await refusal(store.s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x' })))).toBe(
        '404 NoSuchBucket',
      );
    });

    it.each(['ab', 'Upper', 'a..b', '-ab', 'a_b', 'x'.repeat(64), '..', '...'])(
      'cannot be called %s',
      async (name) => {
        const response = await signedRaw(`${store.endpoint}/${name}`, { method: 'PUT' });
        expect([response.status, response.code]).toEqual([400, 'InvalidBucketName']);
      },
    );
  });
});
