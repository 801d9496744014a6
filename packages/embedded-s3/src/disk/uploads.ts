import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Blobs, Segment } from './blobs.js';
import { makeDirectory, syncDirectory, unlinkIfPresent, writeDurably } from './durable-file.js';
import { KeyedLock } from './keyed-lock.js';
import { readRecord, readRecords } from './records.js';
import { S3Error } from '../protocol/s3-error.js';

export interface UploadedPart {
  number: number;
  etag: string;
  size: number;
  modified: string;
  checksums: Record<string, string>;
  segments: Segment[];
}

interface UploadRecord {
  key: string;
  initiated: string;
  headers: Record<string, string>;
}

export interface Upload extends UploadRecord {
  id: string;
  parts: Map<number, UploadedPart>;
}

/** The multipart uploads in progress in a bucket: one directory each, with `upload.json` and one record per part. */
export class Uploads {
  private readonly byId = new Map<string, Upload>();
  private readonly lock = new KeyedLock();

  constructor(
    private readonly directory: string,
    private readonly blobs: Blobs,
  ) {}

  async create(): Promise<void> {
    await makeDirectory(this.directory);
  }

  async load(): Promise<void> {
    const entries = await readdir(this.directory, { withFileTypes: true });
    for (const { name: id } of entries.filter((entry) => entry.isDirectory())) {
      const record = await readRecord<UploadRecord>(this.recordPath(id));
      if (!record) {
        await rm(join(this.directory, id), { recursive: true, force: true });
        continue;
      }
      const parts = await readRecords<UploadedPart>(this.partsDirectory(id));
      for (const { segments } of parts) this.blobs.hold(segments);
      this.byId.set(id, { ...record, id, parts: new Map(parts.map((part) => [part.number, part])) });
    }
  }

  get count(): number {
    return this.byId.size;
  }

  all(): Upload[] {
    return [...this.byId.values()];
  }

  get(id: string, key: string): Upload {
    const upload = this.byId.get(id);
    if (upload?.key !== key) throw new S3Error('NoSuchUpload', undefined, { details: { UploadId: id } });
    return upload;
  }

  async begin(key: string, headers: Record<string, string>): Promise<Upload> {
    const id = randomUUID();
    const record: UploadRecord = { key, headers, initiated: new Date().toISOString() };
    await makeDirectory(join(this.directory, id));
    await makeDirectory(this.partsDirectory(id));
    await writeDurably(this.recordPath(id), JSON.stringify(record));
    const upload = { ...record, id, parts: new Map<number, UploadedPart>() };
    this.byId.set(id, upload);
    return upload;
  }

  /** Takes over the caller's references to the part's segments. */
  async putPart({ id, key }: Upload, part: UploadedPart): Promise<void> {
    try {
      await this.exclusively(id, key, async (upload) => {
        await writeDurably(join(this.partsDirectory(id), `${part.number}.json`), JSON.stringify(part));
        const replaced = upload.parts.get(part.number);
        upload.parts.set(part.number, part);
        if (replaced) await this.blobs.release(replaced.segments);
      });
    } catch (error) {
      await this.blobs.release(part.segments);
      throw error;
    }
  }

  /** Runs a task on an open upload; meanwhile no part can be added and the upload cannot end. */
  exclusively<T>(id: string, key: string, task: (upload: Upload) => Promise<T>): Promise<T> {
    return this.lock.run(id, () => task(this.get(id, key)));
  }

  /** Ends a completed or aborted upload. Must be called within `exclusively`. */
  async end({ id, parts }: Upload): Promise<void> {
    await unlinkIfPresent(this.recordPath(id));
    await syncDirectory(join(this.directory, id));
    this.byId.delete(id);
    await rm(join(this.directory, id), { recursive: true, force: true });
    for (const { segments } of parts.values()) await this.blobs.release(segments);
  }

  private recordPath(id: string): string {
    return join(this.directory, id, 'upload.json');
  }

  private partsDirectory(id: string): string {
    return join(this.directory, id, 'parts');
  }
}
