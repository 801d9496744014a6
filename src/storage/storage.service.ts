import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { BucketAdministration } from './bucket-administration.js';
import { MultipartUploads } from './multipart-uploads.js';
import { MARKER_KEY } from './object-key.js';
import { Presigner } from './presigner.js';
import { StorageClient } from './storage-client.js';
import { isMissing, nameOf, statusOf, storageProblem, tolerateMissing } from './storage-errors.js';

export interface StoredObject {
  readonly key: string;
  readonly sizeBytes: number;
  readonly lastModified: Date;
}

/** Inclusive at both ends, as in HTTP. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An object that is being received: the receiver must read the body or destroy it. */
export interface OpenObject {
  readonly body: Readable;
  /** The size of the whole object, even for a range. */
  readonly sizeBytes: number;
  readonly etag: string;
}

export interface RefusedDeletion {
  readonly key: string;
  /** The store's own error code. */
  readonly code: string | undefined;
}

const PROBE_TIMEOUT_MS = 3_000;
const HIDING_REMEMBERED_MS = 30_000;
/** Never written. */
const ABSENT_KEY = 'absent';
/** The limit of S3. */
const DELETED_AT_ONCE = 1_000;

/** The only place that accesses objects in the store. All errors become problems of the catalogue. */
@Injectable()
export class StorageService implements OnApplicationShutdown {
  private readonly client: StorageClient;
  private hidesMissing: { hides: boolean; at: number } | null = null;
  readonly bucket: BucketAdministration;
  readonly multipart: MultipartUploads;
  readonly presigner: Presigner;

  constructor(@InjectConfig() { storage }: Config) {
    this.client = new StorageClient(storage);
    this.bucket = new BucketAdministration(this.client);
    this.multipart = new MultipartUploads(this.client);
    this.presigner = new Presigner(this.client);
  }

  onApplicationShutdown(): void {
    this.client.close();
  }

  /** Whether browsers use a different address of the store than we do. */
  get hasPublicAddress(): boolean {
    return this.client.hasPublicAddress;
  }

  /** Whether nothing may be written or deleted, by configuration. */
  get isReadOnly(): boolean {
    return this.client.isReadOnly;
  }

  /** How long to wait for a response of the store, or for its next bytes. */
  get timeoutMs(): number {
    return this.client.timeoutMs;
  }

  requireConfigured(): void {
    this.client.requireConfigured();
  }

  async head(key: string): Promise<{ sizeBytes: number } | null> {
    return this.client.call(async (client, options) => {
      try {
        const response = await client.send(
          new HeadObjectCommand({ Bucket: this.client.bucket, Key: key }),
          options,
        );
        return { sizeBytes: response.ContentLength ?? 0 };
      } catch (error) {
        // The response to HEAD has no body that names what is missing, so a missing bucket looks like a missing object.
        if (isMissing(error) || (await this.isHidden(error))) return null;
        throw error;
      }
    });
  }

  /**
   * Copies inside the store, with our own metadata and content type, because those of the source are not trusted. False if the source is
   * missing.
   */
  async copy(
    from: string,
    to: string,
    { contentType, sizeBytes }: { contentType: string; sizeBytes: number },
    signal?: AbortSignal,
  ): Promise<boolean> {
    return this.client.call(
      async (client, options) => {
        try {
          await client.send(
            new CopyObjectCommand({
              Bucket: this.client.bucket,
              Key: to,
              CopySource: `${this.client.bucket}/${from}`,
              MetadataDirective: 'REPLACE',
              ContentType: contentType,
            }),
            options,
          );
          return true;
        } catch (error) {
          if (isMissing(error)) return false;
          // A store that hides missing objects also rejects the copy, but it may have another reason.
          if (statusOf(error) === 403 && (await this.head(from)) === null) return false;
          if (statusOf(error) === 501)
            return this.copyByStreaming(from, to, contentType, options.abortSignal);
          throw error;
        }
      },
      this.client.copyTimeoutMs(sizeBytes),
      signal,
    );
  }

  /** The stored bytes, or null if the object does not exist. The stream ends when `signal` aborts. */
  async read(key: string, range?: ByteRange, signal?: AbortSignal): Promise<Readable | null> {
    return (await this.open(key, range, signal))?.body ?? null;
  }

  /** Like `read`, with the size of the object from the same response. */
  async open(key: string, range?: ByteRange, signal?: AbortSignal): Promise<OpenObject | null> {
    this.requireConfigured();
    const Range = range && `bytes=${range.start}-${range.end}`;
    // Only limits the wait for the response: the reader determines how long the body takes.
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), this.timeoutMs);
    try {
      const response = await this.client.internal.send(
        new GetObjectCommand({ Bucket: this.client.bucket, Key: key, Range }),
        {
          abortSignal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
        },
      );
      const total = response.ContentRange?.split('/')[1] ?? response.ContentLength ?? 0;
      return { body: response.Body as Readable, sizeBytes: Number(total), etag: response.ETag ?? '' };
    } catch (error) {
      if (isMissing(error) && nameOf(error) === 'NoSuchKey') return null;
      if (key !== MARKER_KEY && (await this.isHidden(error))) return null;
      // An empty object has no first byte, so a range cannot be satisfied.
      if (range?.start === 0 && statusOf(error) === 416)
        return { body: Readable.from([]), sizeBytes: 0, etag: '' };
      signal?.throwIfAborted();
      throw storageProblem(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Like `read`, collected in memory and within the timeout: for small objects. */
  async readAll(key: string, range?: ByteRange, signal?: AbortSignal): Promise<Buffer | null> {
    return (await this.readTagged(key, range, signal))?.bytes ?? null;
  }

  /** Like `readAll`, with the ETag of the object. */
  async readTagged(
    key: string,
    range?: ByteRange,
    signal?: AbortSignal,
  ): Promise<{ bytes: Buffer; etag: string } | null> {
    return this.client.call(
      async (_client, { abortSignal }) => {
        const found = await this.open(key, range, abortSignal);
        return found && { bytes: await buffer(found.body), etag: found.etag };
      },
      this.timeoutMs,
      signal,
    );
  }

  async write(key: string, body: Buffer, contentType: string): Promise<void> {
    await this.client.call((client, options) =>
      client.send(
        new PutObjectCommand({ Bucket: this.client.bucket, Key: key, Body: body, ContentType: contentType }),
        options,
      ),
    );
  }

  /**
   * Does nothing if the object has changed since it was read with this ETag; with null, if it exists. Stores without conditional writes
   * replace it.
   */
  async writeIfUnchanged(key: string, body: Buffer, contentType: string, etag: string | null): Promise<void> {
    const object = { Bucket: this.client.bucket, Key: key, Body: body, ContentType: contentType };
    const condition = etag === null ? { IfNoneMatch: '*' } : { IfMatch: etag };
    await this.client.call(async (client, options) => {
      try {
        await client.send(new PutObjectCommand({ ...object, ...condition }), options);
      } catch (error) {
        const status = statusOf(error);
        // 404: an object that should be unchanged no longer exists.
        if (status === 409 || status === 412 || isMissing(error)) return;
        if (status !== 501) throw error;
        await client.send(new PutObjectCommand(object), options);
      }
    });
  }

  /** A missing object counts as deleted. */
  async delete(key: string): Promise<void> {
    await this.client.call((client, options) =>
      client
        .send(new DeleteObjectCommand({ Bucket: this.client.bucket, Key: key }), options)
        .catch(tolerateMissing),
    );
  }

  /** Missing objects count as deleted. Returns the keys that the store failed to delete, and why. */
  async deleteMany(keys: readonly string[]): Promise<RefusedDeletion[]> {
    const refused: RefusedDeletion[] = [];
    for (let start = 0; start < keys.length; start += DELETED_AT_ONCE) {
      const Objects = keys.slice(start, start + DELETED_AT_ONCE).map((Key) => ({ Key }));
      const { Errors = [] } = await this.client.call((client, options) =>
        client.send(
          new DeleteObjectsCommand({ Bucket: this.client.bucket, Delete: { Objects, Quiet: true } }),
          options,
        ),
      );
      for (const { Key, Code } of Errors) {
        if (Key === undefined) throw storageProblem(new Error(`The store failed to delete objects: ${Code}`));
        if (Code !== 'NoSuchKey') refused.push({ key: Key, code: Code });
      }
    }
    return refused;
  }

  /** Every object below the prefix, page by page. */
  async *list(prefix: string): AsyncGenerator<StoredObject[]> {
    let token: string | undefined;
    do {
      const page = await this.client.call((client, options) =>
        client.send(
          new ListObjectsV2Command({ Bucket: this.client.bucket, Prefix: prefix, ContinuationToken: token }),
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

  /** For stores that cannot copy internally. */
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
      Bucket: this.client.bucket,
      Key: to,
      Body: body,
      ContentLength: size.sizeBytes,
      ContentType: contentType,
    });
    await this.client.internal.send(command, { abortSignal: signal });
    return true;
  }

  /**
   * Many stores return 403 instead of 404 if the key may not list the bucket. This is the case if an object that cannot exist is forbidden
   * and an existing one is not.
   */
  private async isHidden(error: unknown): Promise<boolean> {
    if (statusOf(error) !== 403) return false;
    if (this.hidesMissing === null || Date.now() - this.hidesMissing.at > HIDING_REMEMBERED_MS) {
      const abortSignal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
      const hides =
        (await this.client.headStatus(ABSENT_KEY, abortSignal)) === 403 &&
        (await this.client.headStatus(MARKER_KEY, abortSignal)) === 200;
      this.hidesMissing = { hides, at: Date.now() };
    }
    return this.hidesMissing.hides;
  }
}
