import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import {
  BUCKET,
  type TestStore,
  md5,
  patternBytes,
  raw,
  signedRaw,
  startTestStore,
} from './store-fixture.js';

const MIB = 1024 * 1024;

describe('object store: copies and multipart uploads', () => {
  let store: TestStore;

  beforeAll(async () => void (store = await startTestStore()));
  afterAll(() => store.stop());

  const name = (error: { name: string }) => error.name;
  const refusal = (promise: Promise<unknown>) => promise.then(() => 'accepted', name);
  const put = (Key: string, Body: string | Buffer, more: object = {}) =>
    store.s3.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body, ...more }));
  const get = async (Key: string, more: object = {}) => {
    const response = await store.s3.send(new GetObjectCommand({ Bucket: BUCKET, Key, ...more }));
    return { ...response, bytes: Buffer.from(await response.Body!.transformToByteArray()) };
  };
  const begin = async (Key: string, more: object = {}) =>
    (await store.s3.send(new CreateMultipartUploadCommand({ Bucket: BUCKET, Key, ...more }))).UploadId!;
  const sendPart = async (Key: string, UploadId: string, PartNumber: number, Body: Buffer) =>
    (await store.s3.send(new UploadPartCommand({ Bucket: BUCKET, Key, UploadId, PartNumber, Body }))).ETag!;
  const complete = (Key: string, UploadId: string, etags: [number, string][], more: object = {}) =>
    store.s3.send(
      new CompleteMultipartUploadCommand({
        Bucket: BUCKET,
        Key,
        UploadId,
        MultipartUpload: { Parts: etags.map(([PartNumber, ETag]) => ({ PartNumber, ETag })) },
        ...more,
      }),
    );

  describe('CopyObject', () => {
    const copy = (from: string, to: string, more: object = {}) =>
      store.s3.send(
        new CopyObjectCommand({
          Bucket: BUCKET,
          Key: to,
          CopySource: `${BUCKET}/${encodeURIComponent(from)}`,
          ...more,
        }),
      );

    it('keeps the metadata, or replaces it', async () => {
      await put('copy/söurce 1', 'bytes', { ContentType: 'image/png', Metadata: { kind: 'old' } });
      await copy('copy/söurce 1', 'copy/kept');
      expect(await get('copy/kept')).toMatchObject({ ContentType: 'image/png', Metadata: { kind: 'old' } });
      const { CopyObjectResult } = await copy('copy/söurce 1', 'copy/replaced', {
        MetadataDirective: 'REPLACE',
        ContentType: 'image/jpeg',
        Metadata: { other: 'new' },
      });
      expect(CopyObjectResult?.ETag).toBe(`"${md5('bytes')}"`);
      const replaced = await get('copy/replaced');
      expect(replaced).toMatchObject({ ContentType: 'image/jpeg', Metadata: { other: 'new' } });
      expect(replaced.bytes.toString()).toBe('bytes');
    });

    it('makes a copy that outlives its source, and a source that outlives its copy', async () => {
      await put('copy/a', 'shared bytes');
      await copy('copy/a', 'copy/b');
      await store.s3.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'copy/a' }));
      expect((await get('copy/b')).bytes.toString()).toBe('shared bytes');
      await copy('copy/b', 'copy/c');
      await put('copy/c', 'overwritten');
      expect((await get('copy/b')).bytes.toString()).toBe('shared bytes');
    });

    it('reaches into other buckets, with or without a leading slash', async () => {
      await store.s3.send(new CreateBucketCommand({ Bucket: 'other-bucket' }));
      await put('copy/across', 'x');
      const CopySource = `/${BUCKET}/copy/across`;
      await store.s3.send(new CopyObjectCommand({ Bucket: 'other-bucket', Key: 'k', CopySource }));
      const got = await store.s3.send(new GetObjectCommand({ Bucket: 'other-bucket', Key: 'k' }));
      expect(await got.Body!.transformToString()).toBe('x');
    });

    it('checks conditions on source and destination', async () => {
      const { ETag } = await put('copy/guarded', 'v1');
      expect(await refusal(copy('copy/guarded', 'copy/to', { CopySourceIfMatch: '"x"' }))).toBe(
        'PreconditionFailed',
      );
      expect(await refusal(copy('copy/guarded', 'copy/to', { CopySourceIfNoneMatch: ETag }))).toBe(
        'PreconditionFailed',
      );
      expect(await refusal(get('copy/to'))).toBe('NoSuchKey');
      await copy('copy/guarded', 'copy/to', { CopySourceIfMatch: ETag, IfNoneMatch: '*' });
      expect(await refusal(copy('copy/guarded', 'copy/to', { IfNoneMatch: '*' }))).toBe('PreconditionFailed');
    });

    it('rejects a missing source and a copy onto itself that changes nothing', async () => {
      expect(await refusal(copy('copy/nowhere', 'copy/to'))).toBe('NoSuchKey');
      await put('copy/self', 'x');
      expect(await refusal(copy('copy/self', 'copy/self'))).toBe('InvalidRequest');
      await copy('copy/self', 'copy/self', { MetadataDirective: 'REPLACE', Metadata: { now: 'set' } });
      expect((await get('copy/self')).Metadata).toEqual({ now: 'set' });
    });
  });

  describe('multipart', () => {
    it('joins the parts in order, with the headers given at the beginning', async () => {
      const parts = [patternBytes(5 * MIB, 1), patternBytes(5 * MIB + 1, 2), patternBytes(17, 3)] as const;
      const id = await begin('multi/joined', { ContentType: 'video/mp4', Metadata: { a: 'b' } });
      const third = await sendPart('multi/joined', id, 7, parts[2]);
      const first = await sendPart('multi/joined', id, 1, parts[0]);
      const second = await sendPart('multi/joined', id, 2, parts[1]);
      const done = await complete('multi/joined', id, [
        [1, first],
        [2, second],
        [7, third],
      ]);
      const expected = md5(Buffer.from(parts.map((part) => md5(part)).join(''), 'hex'));
      expect(done.ETag).toBe(`"${expected}-3"`);
      const got = await get('multi/joined');
      expect(got).toMatchObject({
        ContentType: 'video/mp4',
        Metadata: { a: 'b' },
        ContentLength: 10 * MIB + 18,
      });
      expect(got.bytes.equals(Buffer.concat(parts))).toBe(true);
      const Range = `bytes=${5 * MIB - 2}-${10 * MIB + 3}`; // from the first part through the second into the third
      expect(
        (await get('multi/joined', { Range })).bytes.equals(
          Buffer.concat(parts).subarray(5 * MIB - 2, 10 * MIB + 4),
        ),
      ).toBe(true);
    });

    it('accepts presigned parts', async () => {
      const id = await begin('multi/presigned');
      const command = new UploadPartCommand({
        Bucket: BUCKET,
        Key: 'multi/presigned',
        UploadId: id,
        PartNumber: 1,
      });
      const url = await getSignedUrl(store.s3, command, { expiresIn: 60 });
      const response = await raw(url, { method: 'PUT', body: 'one part' });
      expect(response.headers.etag).toBe(`"${md5('one part')}"`);
      expect(
        (await raw(url.replace('partNumber=1', 'partNumber=2'), { method: 'PUT', body: 'x' })).status,
      ).toBe(403);
      await complete('multi/presigned', id, [[1, response.headers.etag!]]);
      expect((await get('multi/presigned')).bytes.toString()).toBe('one part');
    });

    it('shows nothing until completed, and lists parts in pages', async () => {
      const id = await begin('multi/listed');
      for (const number of [3, 1, 2]) await sendPart('multi/listed', id, number, Buffer.alloc(number));
      expect(await refusal(get('multi/listed'))).toBe('NoSuchKey');
      const list = (more: object) =>
        store.s3.send(new ListPartsCommand({ Bucket: BUCKET, Key: 'multi/listed', UploadId: id, ...more }));
      const page = await list({ MaxParts: 2 });
      expect(page.Parts?.map(({ PartNumber, Size }) => [PartNumber, Size])).toEqual([
        [1, 1],
        [2, 2],
      ]);
      expect([page.IsTruncated, page.NextPartNumberMarker]).toEqual([true, '2']);
      const rest = await list({ PartNumberMarker: page.NextPartNumberMarker });
      expect([rest.Parts?.map(({ PartNumber }) => PartNumber), rest.IsTruncated]).toEqual([[3], false]);
    });

    it('replaces a part that is sent again', async () => {
      const id = await begin('multi/again');
      const stale = await sendPart('multi/again', id, 1, Buffer.from('first try'));
      const fresh = await sendPart('multi/again', id, 1, Buffer.from('second try'));
      expect(await refusal(complete('multi/again', id, [[1, stale]]))).toBe('InvalidPart');
      await complete('multi/again', id, [[1, fresh]]);
      expect((await get('multi/again')).bytes.toString()).toBe('second try');
    });

    it('rejects an invalid completion, and can still be completed afterwards', async () => {
      const id = await begin('multi/strict');
      const small = await sendPart('multi/strict', id, 1, Buffer.alloc(100));
      const last = await sendPart('multi/strict', id, 2, Buffer.alloc(10));
      const attempt = (etags: [number, string][]) => refusal(complete('multi/strict', id, etags));
      expect(await attempt([[1, small], [2, last]])).toBe('EntityTooSmall'); // prettier-ignore
      expect(await attempt([[2, last], [1, small]])).toBe('InvalidPartOrder'); // prettier-ignore
      expect(await attempt([[1, small], [1, small]])).toBe('InvalidPartOrder'); // prettier-ignore
      expect(await attempt([[3, last]])).toBe('InvalidPart');
      expect(await attempt([[1, last]])).toBe('InvalidPart');
      expect(await attempt([])).toBe('MalformedXML');
      expect(await refusal(complete('multi/other', id, [[2, last]]))).toBe('NoSuchUpload');
      expect(await attempt([[2, last]])).toBe('accepted');
      expect(await attempt([[2, last]])).toBe('NoSuchUpload');
    });

    it.each(['0', '10001', '1.5', '-1', 'x'])('rejects the part number %s', async (number) => {
      const id = await begin('multi/numbers');
      const url = `${store.endpoint}/${BUCKET}/multi/numbers?partNumber=${number}&uploadId=${id}`;
      expect((await signedRaw(url, { method: 'PUT', body: 'x' })).code).toBe('InvalidArgument');
    });

    it('lets one of several conditional completions succeed', async () => {
      const uploads = await Promise.all(
        [1, 2, 3, 4].map(async (n) => {
          const id = await begin('multi/race');
          return { id, etag: await sendPart('multi/race', id, 1, Buffer.from(`upload ${n}`)) };
        }),
      );
      const outcomes = await Promise.all(
        uploads.map(({ id, etag }) => refusal(complete('multi/race', id, [[1, etag]], { IfNoneMatch: '*' }))),
      );
      expect(outcomes.sort()).toEqual([...Array<string>(3).fill('PreconditionFailed'), 'accepted'].sort());
    });

    it('completes once when two requests arrive at the same time', async () => {
      const id = await begin('multi/twice');
      const etag = await sendPart('multi/twice', id, 1, Buffer.from('once'));
      const outcomes = await Promise.all([1, 2].map(() => refusal(complete('multi/twice', id, [[1, etag]]))));
      expect(outcomes.sort()).toEqual(['NoSuchUpload', 'accepted']);
      expect((await get('multi/twice')).bytes.toString()).toBe('once');
    });

    it('frees everything when aborted', async () => {
      const before = await store.blobCount();
      const id = await begin('multi/aborted');
      await sendPart('multi/aborted', id, 1, Buffer.from('x'));
      const Key = 'multi/aborted';
      await store.s3.send(new AbortMultipartUploadCommand({ Bucket: BUCKET, Key, UploadId: id }));
      expect(await store.blobCount()).toBe(before);
      expect(await refusal(sendPart(Key, id, 2, Buffer.from('x')))).toBe('NoSuchUpload');
      expect(await store.blobCount()).toBe(before);
    });

    it('frees parts that were not chosen', async () => {
      const before = await store.blobCount();
      const id = await begin('multi/chosen');
      await sendPart('multi/chosen', id, 1, Buffer.from('left out'));
      const chosen = await sendPart('multi/chosen', id, 2, Buffer.from('kept'));
      await complete('multi/chosen', id, [[2, chosen]]);
      expect(await store.blobCount()).toBe(before + 1);
      expect((await get('multi/chosen')).bytes.toString()).toBe('kept');
    });

    it('lists uploads by prefix, in pages', async () => {
      const ids = [await begin('pages/a'), await begin('pages/a'), await begin('pages/b')];
      const seen: string[] = [];
      let markers: { KeyMarker?: string; UploadIdMarker?: string } = {};
      for (;;) {
        const page = await store.s3.send(
          new ListMultipartUploadsCommand({ Bucket: BUCKET, Prefix: 'pages/', MaxUploads: 1, ...markers }),
        );
        seen.push(...page.Uploads!.map(({ Key, UploadId }) => `${Key} ${UploadId}`));
        if (!page.IsTruncated) break;
        markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
      }
      expect(seen).toEqual([
        ...ids
          .slice(0, 2)
          .sort()
          .map((id) => `pages/a ${id}`),
        `pages/b ${ids[2]}`,
      ]);
    });

    it('copies a range of an object into a part', async () => {
      await put('multi/source', '0123456789');
      const id = await begin('multi/target');
      const copyPart = (CopySourceRange: string) =>
        store.s3.send(
          new UploadPartCopyCommand({
            Bucket: BUCKET,
            Key: 'multi/target',
            UploadId: id,
            PartNumber: 1,
            CopySource: `${BUCKET}/multi/source`,
            CopySourceRange,
          }),
        );
      expect(await refusal(copyPart('bytes=5-10'))).toBe('InvalidArgument');
      const { CopyPartResult } = await copyPart('bytes=2-5');
      await complete('multi/target', id, [[1, CopyPartResult!.ETag!]]);
      expect((await get('multi/target')).bytes.toString()).toBe('2345');
    });

    it('survives a restart midway', async () => {
      const id = await begin('multi/restart', { ContentType: 'video/webm' });
      const first = await sendPart('multi/restart', id, 1, patternBytes(5 * MIB));
      await store.restart();
      const second = await sendPart('multi/restart', id, 2, Buffer.from('end'));
      await complete('multi/restart', id, [
        [1, first],
        [2, second],
      ]);
      await store.restart();
      const Key = 'multi/restart';
      const head = await store.s3.send(new HeadObjectCommand({ Bucket: BUCKET, Key }));
      expect(head).toMatchObject({ ContentLength: 5 * MIB + 3, ContentType: 'video/webm' });
      expect((await get(Key)).bytes.equals(Buffer.concat([patternBytes(5 * MIB), Buffer.from('end')]))).toBe(
        true,
      );
    });
  });
});
