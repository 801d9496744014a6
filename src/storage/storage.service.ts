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

const PROBE_TIMEOUT_MS = 3_000;
const HIDING_REMEMBERED_MS = 30_000;
/** Never written. */
const ABSENT_KEY = 'absent';
/** S3's own limit. */
const DELETED_AT_ONCE = 1_000;

/** The one place that speaks to the object store. Whatever goes wrong there leaves it as a problem of the catalogue. */
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

  /** Whether browsers reach the store by another address than we do. */
  get hasPublicAddress(): boolean {
    return this.client.hasPublicAddress;
  }

  /** How long the store may take to answer, or to send the next bytes. */
  get timeoutMs(): number {
    return this.client.timeoutMs;
  }

  requireConfigured(): void {
    this.client.requireConfigured();
  }

  async head(key: string): Promise<{ sizeBytes: number } | null> {
    return this.client.call(async (client, options) => {
      try {
        const answer = await client.send(
          new HeadObjectCommand({ Bucket: this.client.bucket, Key: key }),
          options,
        );
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
          // A store that hides missing objects refuses the copy too; it may also refuse it for another reason.
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
      const answer = await this.client.internal.send(
        new GetObjectCommand({ Bucket: this.client.bucket, Key: key, Range }),
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
    return this.client.call(
      async (_client, { abortSignal }) => {
        const stream = await this.read(key, range, abortSignal);
        return stream && buffer(stream);
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

  /** False when there is such an object already. Stores without conditional writes replace it. */
  async writeIfAbsent(key: string, body: Buffer, contentType: string): Promise<boolean> {
    const object = { Bucket: this.client.bucket, Key: key, Body: body, ContentType: contentType };
    return this.client.call(async (client, options) => {
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
    await this.client.call((client, options) =>
      client
        .send(new DeleteObjectCommand({ Bucket: this.client.bucket, Key: key }), options)
        .catch(tolerateMissing),
    );
  }

  /** Objects that are not there count as deleted. Returns the keys that the store refused to delete, and why. */
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
   * Many stores answer 403 instead of 404 to a key that may not list the bucket. They do when an object that cannot exist is
   * refused and one that does exist is not.
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
