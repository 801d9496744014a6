import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Blobs } from './blobs.js';
import type { CorsRule } from '../protocol/cors-rules.js';
import { makeDirectory, syncDirectory, unlinkIfPresent, writeDurably } from './durable-file.js';
import { KeyedLock } from './keyed-lock.js';
import { ObjectIndex, type StoredObject } from './object-index.js';
import { readRecord, readRecords } from './records.js';
import { S3Error } from '../protocol/s3-error.js';
import { Uploads } from './uploads.js';

interface BucketRecord {
  created: string;
  cors: CorsRule[];
}

/**
 * A bucket's directory: `bucket.json`, `objects/` with one record per object, `uploads/`.
 * The record's file name is a hash of the key, so no key can leave the directory, be too long for it, or clash in case.
 */
export class Bucket {
  readonly uploads: Uploads;
  private index = new ObjectIndex();
  private record: BucketRecord = { created: new Date().toISOString(), cors: [] };
  private readonly lock = new KeyedLock();
  private removed = false;

  constructor(
    readonly name: string,
    private readonly directory: string,
    private readonly blobs: Blobs,
  ) {
    this.uploads = new Uploads(join(directory, 'uploads'), blobs);
  }

  async create(): Promise<void> {
    await makeDirectory(this.directory);
    await makeDirectory(this.objectsDirectory);
    await this.uploads.create();
    await this.saveRecord(this.record);
  }

  /** False for the remains of a bucket whose creation or removal was interrupted. */
  async load(): Promise<boolean> {
    const record = await readRecord<BucketRecord>(this.recordPath);
    if (!record) return false;
    this.record = record;
    const objects = await readRecords<StoredObject>(this.objectsDirectory);
    for (const { segments } of objects) this.blobs.hold(segments);
    this.index = new ObjectIndex(objects);
    await this.uploads.load();
    return true;
  }

  async remove(): Promise<void> {
    if (this.index.size > 0 || this.uploads.count > 0) throw new S3Error('BucketNotEmpty');
    this.removed = true;
    await unlinkIfPresent(this.recordPath); // from here on the bucket is deleted, even if the rest is interrupted
    await syncDirectory(this.directory);
    await rm(this.directory, { recursive: true, force: true });
  }

  get created(): string {
    return this.record.created;
  }

  get corsRules(): CorsRule[] {
    return this.record.cors;
  }

  async setCorsRules(cors: CorsRule[]): Promise<void> {
    await this.saveRecord({ ...this.record, cors });
  }

  get objects(): ObjectIndex {
    return this.index;
  }

  find(key: string): StoredObject | undefined {
    return this.index.get(key);
  }

  get(key: string): StoredObject {
    const object = this.index.get(key);
    if (!object) throw new S3Error('NoSuchKey', undefined, { details: { Key: key } });
    return object;
  }

  /**
   * Makes an object visible with one rename, and takes over the caller's references to its segments. `permit` receives the current object
   * and may throw; nothing else changes the key in between.
   */
  async put(object: StoredObject, permit: (existing?: StoredObject) => void): Promise<void> {
    try {
      await this.lock.run(object.key, async () => {
        if (this.removed) throw new S3Error('NoSuchBucket');
        const existing = this.index.get(object.key);
        permit(existing);
        await writeDurably(this.objectPath(object.key), JSON.stringify(object));
        this.index.set(object);
        if (existing) await this.blobs.release(existing.segments);
      });
    } catch (error) {
      await this.blobs.release(object.segments);
      throw error;
    }
  }

  /** Deleting a missing object succeeds, as in S3. */
  async delete(keys: string[], permit: (existing?: StoredObject) => void = () => {}): Promise<void> {
    const removed = await Promise.all(keys.map((key) => this.lock.run(key, () => this.unlink(key, permit))));
    await syncDirectory(this.objectsDirectory);
    for (const object of removed) if (object) await this.blobs.release(object.segments);
  }

  private async unlink(
    key: string,
    permit: (existing?: StoredObject) => void,
  ): Promise<StoredObject | undefined> {
    const object = this.index.get(key);
    permit(object);
    if (!object) return undefined;
    await unlinkIfPresent(this.objectPath(key));
    this.index.delete(key);
    return object;
  }

  private async saveRecord(record: BucketRecord): Promise<void> {
    await writeDurably(this.recordPath, JSON.stringify(record));
    this.record = record;
  }

  private get recordPath(): string {
    return join(this.directory, 'bucket.json');
  }

  private get objectsDirectory(): string {
    return join(this.directory, 'objects');
  }

  private objectPath(key: string): string {
    return join(this.objectsDirectory, `${createHash('sha256').update(key).digest('hex')}.json`);
  }
}
