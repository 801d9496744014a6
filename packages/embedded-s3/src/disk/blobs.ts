import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory, syncDirectory, unlinkIfPresent } from './durable-file.js';

/** A part of an object's bytes: one immutable file. An object uploaded in parts has several. */
export interface Segment {
  blob: string;
  size: number;
}

const WRITE_BATCH = 1024 * 1024;
const READ_CHUNK = 256 * 1024;

/**
 * The bytes. A blob is written once and never changed; records refer to blobs. The number of records and readers of a blob is counted in
 * memory (and recounted from the records at startup), and the last one removes the file. Copying an object therefore copies no bytes, and
 * an object can be replaced or deleted while it is being read.
 */
export class Blobs {
  private readonly holders = new Map<string, number>();

  constructor(private readonly directory: string) {}

  /** Stores the data of the source, with one reference for the caller. If the source fails, nothing is stored. */
  async write(source: AsyncIterable<Buffer>): Promise<Segment> {
    const blob = randomUUID();
    try {
      const size = await this.writeFile(blob, source);
      await syncDirectory(this.directory);
      this.holders.set(blob, 1);
      return { blob, size };
    } catch (error) {
      await unlinkIfPresent(this.pathOf(blob)).catch(() => {}); // removed at the next start
      throw error;
    }
  }

  /** The bytes from `start` to `end`, both inclusive. The caller holds references to the segments. */
  async *read(segments: Segment[], start: number, end: number): AsyncGenerator<Buffer> {
    let offset = 0;
    for (const { blob, size } of segments) {
      const from = Math.max(start - offset, 0);
      const to = Math.min(end - offset, size - 1);
      offset += size;
      if (from > to) continue;
      let missing = to - from + 1;
      const stream = createReadStream(this.pathOf(blob), { start: from, end: to, highWaterMark: READ_CHUNK });
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        missing -= chunk.length;
        yield chunk;
      }
      if (missing > 0) throw new Error(`The blob ${blob} is shorter than its record says`);
    }
  }

  hold(segments: Segment[]): void {
    for (const { blob } of segments) this.holders.set(blob, (this.holders.get(blob) ?? 0) + 1);
  }

  async release(segments: Segment[]): Promise<void> {
    for (const { blob } of segments) {
      const left = (this.holders.get(blob) ?? 1) - 1;
      this.holders.set(blob, left);
      if (left > 0) continue;
      this.holders.delete(blob);
      // A leftover file only costs space until the next start.
      await unlinkIfPresent(this.pathOf(blob)).catch(() => {});
    }
  }

  async open(): Promise<void> {
    await makeDirectory(this.directory);
  }

  /** Removes what a crash left behind: files that no record refers to. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.directory)) {
      if (!this.holders.has(name)) await unlinkIfPresent(this.pathOf(name));
    }
  }

  private async writeFile(blob: string, source: AsyncIterable<Buffer>): Promise<number> {
    const file = await open(this.pathOf(blob), 'wx');
    try {
      let size = 0;
      let batch: Buffer[] = [];
      let batched = 0;
      for await (const chunk of source) {
        batch.push(chunk);
        size += chunk.length;
        batched += chunk.length;
        if (batched < WRITE_BATCH) continue;
        await file.appendFile(Buffer.concat(batch, batched));
        batch = [];
        batched = 0;
      }
      await file.appendFile(Buffer.concat(batch, batched));
      await file.sync();
      return size;
    } finally {
      await file.close();
    }
  }

  private pathOf(blob: string): string {
    return join(this.directory, blob);
  }
}
