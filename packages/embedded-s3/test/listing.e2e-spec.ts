import {
  DeleteObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { BUCKET, type TestStore, md5, signedRaw, startTestStore } from './store-fixture.js';

describe('object store: listings', () => {
  let store: TestStore;
  const keys = ['a', 'a/b', 'a/c/d', 'a/c/e', 'a0', 'b/1', 'b/2', 'Z', 'é', '\uFF5E', '😀', 'x&<y>'];

  beforeAll(async () => {
    store = await startTestStore();
    for (const Key of keys) await store.s3.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: Key }));
  });
  afterAll(() => store.stop());

  const list = (more: object = {}) => store.s3.send(new ListObjectsV2Command({ Bucket: BUCKET, ...more }));
  const keysOf = (page: { Contents?: { Key?: string }[] }) => page.Contents?.map(({ Key }) => Key) ?? [];
  const prefixesOf = (page: { CommonPrefixes?: { Prefix?: string }[] }) =>
    page.CommonPrefixes?.map(({ Prefix }) => Prefix) ?? [];

  it('orders keys by their UTF-8 bytes', async () => {
    const expected = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(expected.indexOf('😀')).toBeGreaterThan(expected.indexOf('\uFF5E')); // unlike in UTF-16
    expect(keysOf(await list())).toEqual(expected);
  });

  it('returns size, ETag and date of each', async () => {
    const { Contents, KeyCount, IsTruncated } = await list({ Prefix: 'a/b' });
    expect([KeyCount, IsTruncated]).toEqual([1, false]);
    expect(Contents).toEqual([expect.objectContaining({ Key: 'a/b', Size: 3, ETag: `"${md5('a/b')}"` })]);
    expect(Contents![0]!.LastModified).toBeInstanceOf(Date);
  });

  it('groups by delimiter, below a prefix', async () => {
    const top = await list({ Delimiter: '/' });
    expect(prefixesOf(top)).toEqual(['a/', 'b/']);
    expect(keysOf(top)).toEqual(['Z', 'a', 'a0', 'x&<y>', 'é', '\uFF5E', '😀']);
    const below = await list({ Delimiter: '/', Prefix: 'a/' });
    expect([prefixesOf(below), keysOf(below)]).toEqual([['a/c/'], ['a/b']]);
  });

  it.each([1, 2, 3, 5])('pages by %i without losing or repeating anything', async (MaxKeys) => {
    const whole = await list({ Delimiter: '/' });
    const seen: string[] = [];
    for await (const page of paginateListObjectsV2(
      { client: store.s3 },
      { Bucket: BUCKET, Delimiter: '/', MaxKeys },
    )) {
      expect(page.KeyCount).toBeLessThanOrEqual(MaxKeys);
      seen.push(...(keysOf(page) as string[]), ...(prefixesOf(page) as string[]));
    }
    expect(seen.sort()).toEqual([...keysOf(whole), ...prefixesOf(whole)].sort());
  });

  it('starts after a key, which need not exist', async () => {
    expect(keysOf(await list({ StartAfter: 'a/b', Prefix: 'a' }))).toEqual(['a/c/d', 'a/c/e', 'a0']);
    expect(keysOf(await list({ StartAfter: 'a/bb', Prefix: 'a' }))).toEqual(['a/c/d', 'a/c/e', 'a0']);
  });

  it('continues after a page even if its last key has been deleted', async () => {
    for (const Key of ['go/1', 'go/2', 'go/3'])
      await store.s3.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: 'x' }));
    const first = await list({ Prefix: 'go/', MaxKeys: 2 });
    await store.s3.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'go/2' }));
    const rest = await list({ Prefix: 'go/', ContinuationToken: first.NextContinuationToken });
    expect(keysOf(rest)).toEqual(['go/3']);
  });

  it('encodes keys on request', async () => {
    const response = await signedRaw(`${store.endpoint}/${BUCKET}?list-type=2&prefix=x&encoding-type=url`, {
      method: 'GET',
    });
    expect(response.text).toContain('<Key>x%26%3Cy%3E</Key>');
  });

  it('never returns more than a thousand', async () => {
    const response = await signedRaw(`${store.endpoint}/${BUCKET}?list-type=2&max-keys=5000`, {
      method: 'GET',
    });
    expect(response.text).toContain('<MaxKeys>1000</MaxKeys>');
    const refused = await signedRaw(`${store.endpoint}/${BUCKET}?list-type=2&max-keys=-1`, { method: 'GET' });
    expect(refused.code).toBe('InvalidArgument');
  });

  it('is the same after a restart', async () => {
    const before = await list();
    await store.restart();
    expect((await list()).Contents).toEqual(before.Contents);
  });
});
