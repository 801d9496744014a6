import { setTimeout as sleep } from 'node:timers/promises';
import type { RangeReader } from './decoder-child.js';
import { MediaSourceError } from './media.types.js';

const BLOCK = 64 * 1024;
const CACHED_BLOCKS = 64;

/** Reads a stored file for a decoder with range requests. Small reads share blocks, so that parsing boxes needs few requests. */
export class UrlReader implements RangeReader {
  private readonly blocks = new Map<number, Buffer>();

  constructor(
    private readonly url: string,
    readonly size: number,
    private readonly timeoutMs: number,
  ) {}

  async read(start: number, length: number): Promise<Buffer> {
    const end = Math.min(start + length, this.size);
    if (end <= start) return Buffer.alloc(0);
    if (end - start > BLOCK) return this.fetch(start, end);
    const first = await this.block(Math.floor(start / BLOCK));
    const offset = start % BLOCK;
    const head = first.subarray(offset, offset + end - start);
    if (head.length === end - start) return head;
    const next = await this.block(Math.floor(start / BLOCK) + 1);
    return Buffer.concat([head, next.subarray(0, end - start - head.length)]);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async block(index: number): Promise<Buffer> {
    const known = this.blocks.get(index);
    if (known) return known;
    const bytes = await this.fetch(index * BLOCK, Math.min((index + 1) * BLOCK, this.size));
    const oldest = this.blocks.keys().next();
    if (this.blocks.size >= CACHED_BLOCKS && !oldest.done) this.blocks.delete(oldest.value);
    this.blocks.set(index, bytes);
    return bytes;
  }

  private async fetch(start: number, end: number): Promise<Buffer> {
    try {
      // Stores occasionally respond with 503 or drop a connection; one retry saves the caller from starting over.
      return await this.request(start, end).catch(async () => {
        await sleep(200);
        return this.request(start, end);
      });
    } catch (error) {
      throw error instanceof MediaSourceError
        ? error
        : new MediaSourceError('the connection to the object store failed');
    }
  }

  private async request(start: number, end: number): Promise<Buffer> {
    const response = await fetch(this.url, {
      headers: { range: `bytes=${start}-${end - 1}` },
      redirect: 'error',
      signal: AbortSignal.timeout(this.timeoutMs),
    });
    // 200 would be the whole object, gigabytes of it, so it is not read.
    if (
      response.status !== 206 ||
      Number(response.headers.get('content-length') ?? end - start) !== end - start
    ) {
      await response.body?.cancel();
      throw new MediaSourceError(
        `the object store responded with status ${response.status} to a range request`,
      );
    }
    const bytes = Buffer.from(await response.arrayBuffer());
    if (bytes.length !== end - start)
      throw new MediaSourceError('the object store sent fewer bytes than requested');
    return bytes;
  }
}
