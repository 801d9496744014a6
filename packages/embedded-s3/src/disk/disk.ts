import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Blobs } from './blobs.js';
import { Bucket } from './bucket.js';
import { makeDirectory } from './durable-file.js';
import { KeyedLock } from './keyed-lock.js';
import { S3Error } from '../protocol/s3-error.js';

// Also prevents a bucket's name from being a path.
const BUCKET_NAME = /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** The store's directory: `blobs/` with the bytes and `buckets/` with the records. */
export class Disk {
  readonly blobs: Blobs;
  private readonly buckets = new Map<string, Bucket>();
  private readonly lock = new KeyedLock();

  constructor(private readonly directory: string) {
    this.blobs = new Blobs(join(directory, 'blobs'));
  }

  /** Reads all records into memory and removes what interrupted writes left. Only one store can own a directory. */
  async open(): Promise<void> {
    await this.blobs.open();
    await makeDirectory(this.bucketsDirectory);
    for (const name of await readdir(this.bucketsDirectory)) {
      if (!BUCKET_NAME.test(name)) continue;
      const bucket = this.bucketNamed(name);
      if (await bucket.load()) this.buckets.set(name, bucket);
      else await rm(join(this.bucketsDirectory, name), { recursive: true, force: true });
    }
    await this.blobs.sweep();
  }

  allBuckets(): Bucket[] {
    return [...this.buckets.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  findBucket(name: string): Bucket | undefined {
    return this.buckets.get(name);
  }

  bucket(name: string): Bucket {
    const bucket = this.buckets.get(name);
    if (!bucket) throw new S3Error('NoSuchBucket', undefined, { details: { BucketName: name } });
    return bucket;
  }

  async createBucket(name: string): Promise<void> {
    if (!BUCKET_NAME.test(name)) throw new S3Error('InvalidBucketName');
    await this.lock.run(name, async () => {
      if (this.buckets.has(name)) throw new S3Error('BucketAlreadyOwnedByYou');
      const bucket = this.bucketNamed(name);
      await bucket.create();
      this.buckets.set(name, bucket);
    });
  }

  async deleteBucket(name: string): Promise<void> {
    await this.lock.run(name, async () => {
      await this.bucket(name).remove();
      this.buckets.delete(name);
    });
  }

  private bucketNamed(name: string): Bucket {
    return new Bucket(name, join(this.bucketsDirectory, name), this.blobs);
  }

  private get bucketsDirectory(): string {
    return join(this.directory, 'buckets');
  }
}
