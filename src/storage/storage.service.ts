import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  ListPartsCommand,
  PutBucketCorsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { storeCalls } from '../common/metrics/metrics.js';
import type { Config, StorageConfig } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { MARKER_KEY } from './object-key.js';
import { isMissing, nameOf, statusOf, storageNotConfigured, storageProblem } from './storage-errors.js';

export type StorageState = 'ok' | 'not_configured' | 'unreachable' | 'forbidden';

export interface StoredObject {
  readonly key: string;
  readonly sizeBytes: number;
  readonly lastModified: Date;
}

export interface OpenMultipart {
  readonly key: string;
  readonly uploadId: string;
  readonly begunAt: Date;
}

export interface UploadedPart {
  readonly partNumber: number;
  readonly etag: string;
  readonly sizeBytes?: number;
}

/** Inclusive at both ends, as in HTTP. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An object whose bytes are on their way: whoever gets it reads the body or destroys it. */
export interface OpenObject {
  readonly body: Readable;
  /** Of the whole object, also when only a range was asked for. */
  readonly sizeBytes: number;
}

export interface RefusedDeletion {
  readonly key: string;
  /** The store's own. */
  readonly code: string | undefined;
}

const MAX_SOCKETS = 2_000;
const STATE_TIMEOUT_MS = 3_000;
const HIDING_REMEMBERED_MS = 30_000;
/** Never written. */
const ABSENT_KEY = 'absent';
/** S3's own limit. */
const DELETED_AT_ONCE = 1_000;
/** What a store manages at least when it copies, or puts parts together, by itself: gigabytes take a while. */
const COPIED_BYTES_PER_MS = 5_000;

/** The one place that speaks to the object store. Whatever goes wrong there leaves it as a problem of the catalogue. */
@Injectable()
export class StorageService implements OnApplicationShutdown {
  private readonly missing: readonly string[];
  private readonly internal: S3Client | null = null;
  /** Signs URLs for browsers, who may know the store by another address than we do. */
  private readonly external: S3Client | null = null;
  private readonly bucket: string = '';
  private hidesMissing: { hides: boolean; at: number } | null = null;
  /** How long the store may take to answer, or to send the next bytes. */
  readonly timeoutMs: number = 0;

  constructor(@InjectConfig() { storage }: Config) {
    this.missing = storage.configured ? [] : storage.missing;
    if (!storage.configured) return;
    this.bucket = storage.bucket;
    this.timeoutMs = storage.timeoutSeconds * 1000;
    this.internal = connect(storage, storage.endpoint);
    this.external =
      storage.publicEndpoint === storage.endpoint ? this.internal : connect(storage, storage.publicEndpoint);
  }

  onApplicationShutdown(): void {
    this.internal?.destroy();
    this.external?.destroy();
  }

  /** Whether browsers reach the store by another address than we do. */
  get hasPublicAddress(): boolean {
    return this.external !== this.internal;
  }

  /** Whether objects of the bucket answer to our credentials. */
  async state(): Promise<StorageState> {
    if (this.internal === null) return 'not_configured';
    const abortSignal = AbortSignal.timeout(STATE_TIMEOUT_MS);
    try {
      await this.internal.send(new HeadBucketCommand({ Bucket: this.bucket }), { abortSignal });
      return 'ok';
    } catch (error) {
      if (statusOf(error) !== 403) return 'unreachable';
      // A key that may not list the bucket may not ask about the bucket either; uploads need neither.
      const status = await this.headStatus(MARKER_KEY, abortSignal);
      return status === 200 || status === 404 ? 'ok' : 'forbidden';
    }
  }

  /** Throws when the bucket does not answer to our credentials. */
  async headBucket(): Promise<void> {
    await this.call((client, options) =>
      client.send(new HeadBucketCommand({ Bucket: this.bucket }), options),
    );
  }

  private async headStatus(key: string, abortSignal: AbortSignal): Promise<number | undefined> {
    const command = new HeadObjectCommand({ Bucket: this.bucket, Key: key });
    return this.internal!.send(command, { abortSignal }).then(() => 200, statusOf);
  }

  requireConfigured(): void {
    if (this.internal === null) throw storageNotConfigured(this.missing);
  }

  /** A URL that alone authorizes one PUT of exactly this many bytes; the content type is the caller's business. */
  async presignPut(key: string, sizeBytes: number, lifetimeSeconds: number): Promise<string> {
    const command = new PutObjectCommand({ Bucket: this.bucket, Key: key, ContentLength: sizeBytes });
    return this.presign(command, lifetimeSeconds);
  }

  async presignPart(
    key: string,
    uploadId: string,
    part: { partNumber: number; sizeBytes: number },
    lifetimeSeconds: number,
  ): Promise<string> {
    const command = new UploadPartCommand({
      Bucket: this.bucket,
      Key: key,
      UploadId: uploadId,
      PartNumber: part.partNumber,
      ContentLength: part.sizeBytes,
    });
    return this.presign(command, lifetimeSeconds);
  }

  /** For our own helpers on this machine, never for a browser. */
  async presignRead(key: string, lifetimeSeconds: number): Promise<string> {
    this.requireConfigured();
    return getSignedUrl(this.internal!, new GetObjectCommand({ Bucket: this.bucket, Key: key }), {
      expiresIn: lifetimeSeconds,
    });
  }

  async createMultipart(key: string): Promise<string> {
    const { UploadId } = await this.call((client, options) =>
      client.send(new CreateMultipartUploadCommand({ Bucket: this.bucket, Key: key }), options),
    );
    return UploadId!;
  }

  /** False when the store does not know the upload (any more), or not with these parts. */
  async completeMultipart(
    key: string,
    uploadId: string,
    parts: readonly UploadedPart[],
    sizeBytes: number,
  ): Promise<boolean> {
    const Parts = parts.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: etag }));
    const command = new CompleteMultipartUploadCommand({
      Bucket: this.bucket,
      Key: key,
      UploadId: uploadId,
      MultipartUpload: { Parts },
    });
    return this.call(async (client, options) => {
      try {
        await client.send(command, options);
        return true;
      } catch (error) {
        if (isMissing(error) || statusOf(error) === 400) return false;
        throw error;
      }
    }, this.copyTimeoutMs(sizeBytes));
  }

  async listParts(key: string, uploadId: string): Promise<UploadedPart[]> {
    return this.call(async (client, options) => {
      const parts: UploadedPart[] = [];
      let marker: string | undefined;
      do {
        const page = await client
          .send(
            new ListPartsCommand({
              Bucket: this.bucket,
              Key: key,
              UploadId: uploadId,
              PartNumberMarker: marker,
            }),
            options,
          )
          .catch((error: unknown) => {
            if (isMissing(error)) return null;
            throw error;
          });
        for (const part of page?.Parts ?? []) {
          parts.push({ partNumber: part.PartNumber!, etag: part.ETag!, sizeBytes: part.Size! });
        }
        marker = page?.IsTruncated ? page.NextPartNumberMarker : undefined;
      } while (marker !== undefined);
      return parts;
    });
  }

  async abortMultipart(key: string, uploadId: string): Promise<void> {
    await this.call((client, options) =>
      client
        .send(new AbortMultipartUploadCommand({ Bucket: this.bucket, Key: key, UploadId: uploadId }), options)
        .catch(tolerateMissing),
    );
  }

  /** Multipart uploads below the prefix that were begun and neither completed nor aborted, page by page. */
  async *listMultiparts(prefix: string): AsyncGenerator<OpenMultipart[]> {
    let position: { KeyMarker?: string; UploadIdMarker?: string } | null = {};
    while (position !== null) {
      const command = new ListMultipartUploadsCommand({ Bucket: this.bucket, Prefix: prefix, ...position });
      const page: ListMultipartUploadsCommandOutput = await this.call((client, options) =>
        client.send(command, options),
      );
      yield (page.Uploads ?? []).map((upload) => ({
        key: upload.Key!,
        uploadId: upload.UploadId!,
        begunAt: upload.Initiated ?? new Date(),
      }));
      position = page.IsTruncated
        ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
        : null;
    }
  }

  async head(key: string): Promise<{ sizeBytes: number } | null> {
    return this.call(async (client, options) => {
      try {
        const answer = await client.send(new HeadObjectCommand({ Bucket: this.bucket, Key: key }), options);
        return { sizeBytes: answer.ContentLength ?? 0 };
      } catch (error) {
        // A HEAD has no body to name what is missing, so a missing bucket looks like a missing object.
        if (isMissing(error) || (await this.isHidden(error))) return null;
        throw error;
      }
    });
  }

  /**
   * Copies inside the store, with our own metadata and content type: what lies at the source may carry anything. False when the
   * source is gone.
   */
  async copy(
    from: string,
    to: string,
    { contentType, sizeBytes }: { contentType: string; sizeBytes: number },
    signal?: AbortSignal,
  ): Promise<boolean> {
    return this.call(
      async (client, options) => {
        try {
          await client.send(
            new CopyObjectCommand({
              Bucket: this.bucket,
              Key: to,
              CopySource: `${this.bucket}/${from}`,
              MetadataDirective: 'REPLACE',
              ContentType: contentType,
            }),
            options,
          );
          return true;
        } catch (error) {
          if (isMissing(error)) return false;
          // A store that hides missing objects refuses the copy too; it may also refuse it for another reason.
          if (statusOf(error) === 403 && (await this.head(from)) === null) return false;
          if (statusOf(error) === 501)
            return this.copyByStreaming(from, to, contentType, options.abortSignal);
          throw error;
        }
      },
      this.copyTimeoutMs(sizeBytes),
      signal,
    );
  }

  /** The stored bytes, or null when there is no such object. The stream ends when `signal` aborts. */
  async read(key: string, range?: ByteRange, signal?: AbortSignal): Promise<Readable | null> {
    return (await this.open(key, range, signal))?.body ?? null;
  }

  /** As `read`, with the size of the object, which the same answer carries. */
  async open(key: string, range?: ByteRange, signal?: AbortSignal): Promise<OpenObject | null> {
    this.requireConfigured();
    const Range = range && `bytes=${range.start}-${range.end}`;
    // Bounds the wait for the answer only: how long the body takes is up to whoever reads it.
    const unanswered = new AbortController();
    const timer = setTimeout(() => unanswered.abort(), this.timeoutMs);
    try {
      const answer = await this.internal!.send(
        new GetObjectCommand({ Bucket: this.bucket, Key: key, Range }),
        {
          abortSignal: signal ? AbortSignal.any([signal, unanswered.signal]) : unanswered.signal,
        },
      );
      const total = answer.ContentRange?.split('/')[1] ?? answer.ContentLength ?? 0;
      return { body: answer.Body as Readable, sizeBytes: Number(total) };
    } catch (error) {
      if (isMissing(error) && nameOf(error) === 'NoSuchKey') return null;
      if (key !== MARKER_KEY && (await this.isHidden(error))) return null;
      // An empty object has no first byte to begin a range with.
      if (range?.start === 0 && statusOf(error) === 416) return { body: Readable.from([]), sizeBytes: 0 };
      signal?.throwIfAborted();
      throw storageProblem(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** As `read`, collected and within the time-out: for what is small. */
  async readAll(key: string, range?: ByteRange, signal?: AbortSignal): Promise<Buffer | null> {
    return this.call(
      async (_client, { abortSignal }) => {
        const stream = await this.read(key, range, abortSignal);
        return stream && buffer(stream);
      },
      this.timeoutMs,
      signal,
    );
  }

  async write(key: string, body: Buffer, contentType: string): Promise<void> {
    await this.call((client, options) =>
      client.send(
        new PutObjectCommand({ Bucket: this.bucket, Key: key, Body: body, ContentType: contentType }),
        options,
      ),
    );
  }

  /** False when there is such an object already. Stores without conditional writes replace it. */
  async writeIfAbsent(key: string, body: Buffer, contentType: string): Promise<boolean> {
    const object = { Bucket: this.bucket, Key: key, Body: body, ContentType: contentType };
    return this.call(async (client, options) => {
      try {
        await client.send(new PutObjectCommand({ ...object, IfNoneMatch: '*' }), options);
      } catch (error) {
        const status = statusOf(error);
        if (status === 409 || status === 412) return false;
        if (status !== 501) throw error;
        await client.send(new PutObjectCommand(object), options);
      }
      return true;
    });
  }

  /** An object that is not there counts as deleted. */
  async delete(key: string): Promise<void> {
    await this.call((client, options) =>
      client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: key }), options).catch(tolerateMissing),
    );
  }

  /** Objects that are not there count as deleted. Returns the keys that the store refused to delete, and why. */
  async deleteMany(keys: readonly string[]): Promise<RefusedDeletion[]> {
    const refused: RefusedDeletion[] = [];
    for (let start = 0; start < keys.length; start += DELETED_AT_ONCE) {
      const Objects = keys.slice(start, start + DELETED_AT_ONCE).map((Key) => ({ Key }));
      const { Errors = [] } = await this.call((client, options) =>
        client.send(
          new DeleteObjectsCommand({ Bucket: this.bucket, Delete: { Objects, Quiet: true } }),
          options,
        ),
      );
      for (const { Key, Code } of Errors) {
        if (Key === undefined)
          throw storageProblem(new Error(`The store refused to delete objects: ${Code}`));
        if (Code !== 'NoSuchKey') refused.push({ key: Key, code: Code });
      }
    }
    return refused;
  }

  /** Every object below the prefix, page by page. */
  async *list(prefix: string): AsyncGenerator<StoredObject[]> {
    let token: string | undefined;
    do {
      const page = await this.call((client, options) =>
        client.send(
          new ListObjectsV2Command({ Bucket: this.bucket, Prefix: prefix, ContinuationToken: token }),
          options,
        ),
      );
      yield (page.Contents ?? []).map((object) => ({
        key: object.Key!,
        sizeBytes: object.Size ?? 0,
        lastModified: object.LastModified ?? new Date(0),
      }));
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  /** For a store of our own; elsewhere the bucket is there before us. */
  async createBucket(): Promise<void> {
    await this.call((client, options) =>
      client.send(new CreateBucketCommand({ Bucket: this.bucket }), options).catch((error: unknown) => {
        if (nameOf(error) !== 'BucketAlreadyOwnedByYou') throw error;
      }),
    );
  }

  /** Lets pages of these origins upload, and see the ETags that multipart uploads need. */
  async setCors(origins: readonly string[]): Promise<void> {
    await this.call((client, options) =>
      client.send(
        new PutBucketCorsCommand({
          Bucket: this.bucket,
          CORSConfiguration: {
            CORSRules: [
              {
                AllowedOrigins: [...origins],
                AllowedMethods: ['PUT'],
                AllowedHeaders: ['*'],
                ExposeHeaders: ['ETag'],
                MaxAgeSeconds: 3600,
              },
            ],
          },
        }),
        options,
      ),
    );
  }

  private async presign(command: PutObjectCommand | UploadPartCommand, expiresIn: number): Promise<string> {
    this.requireConfigured();
    return getSignedUrl(this.external!, command as PutObjectCommand, {
      expiresIn,
      signableHeaders: new Set(['host', 'content-length']),
    });
  }

  /** For stores that cannot copy by themselves. */
  private async copyByStreaming(
    from: string,
    to: string,
    contentType: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const size = await this.head(from);
    const body = size && (await this.read(from, undefined, signal));
    if (!body) return false;
    const command = new PutObjectCommand({
      Bucket: this.bucket,
      Key: to,
      Body: body,
      ContentLength: size.sizeBytes,
      ContentType: contentType,
    });
    await this.internal!.send(command, { abortSignal: signal });
    return true;
  }

  /**
   * Many stores answer 403 instead of 404 to a key that may not list the bucket. They do when an object that cannot exist is
   * refused and one that does exist is not.
   */
  private async isHidden(error: unknown): Promise<boolean> {
    if (statusOf(error) !== 403) return false;
    if (this.hidesMissing === null || Date.now() - this.hidesMissing.at > HIDING_REMEMBERED_MS) {
      const abortSignal = AbortSignal.timeout(STATE_TIMEOUT_MS);
      const hides =
        (await this.headStatus(ABSENT_KEY, abortSignal)) === 403 &&
        (await this.headStatus(MARKER_KEY, abortSignal)) === 200;
      this.hidesMissing = { hides, at: Date.now() };
    }
    return this.hidesMissing.hides;
  }

  private copyTimeoutMs(sizeBytes: number): number {
    return this.timeoutMs + Math.ceil(sizeBytes / COPIED_BYTES_PER_MS);
  }

  private async call<T>(
    work: (client: S3Client, options: { abortSignal: AbortSignal }) => Promise<T>,
    timeoutMs = this.timeoutMs,
    signal?: AbortSignal,
  ): Promise<T> {
    this.requireConfigured();
    // Not AbortSignal.timeout(), which would hold on to the request until its time is over.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    try {
      return await work(this.internal!, {
        abortSignal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw storageProblem(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

function connect(storage: StorageConfig, endpoint: string): S3Client {
  // The SDK's version is pinned to one that supports our oldest Node; its advice to leave Node 20 is not for our users.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const client = new S3Client({
    endpoint,
    region: storage.region,
    forcePathStyle: storage.forcePathStyle,
    credentials: { accessKeyId: storage.accessKeyId, secretAccessKey: storage.secretAccessKey },
    // The SDK's defaults put the checksum of an empty body into presigned URLs, and fail on some stores.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 3_000,
      // Each client that reads slowly holds one: few would let a crowd of them keep everybody else from the store.
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
  });
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const operation = String(context.commandName).replace(/Command$/, '');
      try {
        const answer = await next(args);
        storeCalls.inc({ operation, outcome: 'ok' });
        return answer;
      } catch (error) {
        storeCalls.inc({ operation, outcome: String(statusOf(error) ?? 'unreachable') });
        throw error;
      }
    },
    // Where answers are read: a URL that is only signed never gets here.
    { step: 'deserialize', priority: 'high', name: 'countCalls' },
  );
  return client;
}

function tolerateMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}
