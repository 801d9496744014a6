import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Bytes could not be fetched, or a result not be written. Says nothing about the file. */
export class SourceError extends Error {}

/** Random access to a file's bytes. `read` answers with fewer bytes only at the file's end. */
export interface ByteSource {
  readonly size: number;
  /** The local path, for decoders that read files themselves. */
  readonly path: string | null;
  read(start: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export class FileSource implements ByteSource {
  private constructor(
    readonly path: string,
    readonly size: number,
    private readonly handle: FileHandle,
  ) {}

  static async open(path: string): Promise<FileSource> {
    try {
      const handle = await open(path, 'r');
      return new FileSource(path, (await handle.stat()).size, handle);
    } catch {
      throw new SourceError('the temporary copy of the file could not be opened');
    }
  }

  async read(start: number, length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, this.size - start)));
    for (let filled = 0; filled < bytes.length;) {
      const { bytesRead } = await this.handle
        .read(bytes, filled, bytes.length - filled, start + filled)
        .catch(() => ({ bytesRead: 0 }));
      if (bytesRead === 0) throw new SourceError('the temporary copy of the file could not be read');
      filled += bytesRead;
    }
    return bytes;
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

const BLOCK = 64 * 1024;
const CACHED_BLOCKS = 64;

/** Range requests to the object store; small reads share blocks, so that walking boxes costs few requests. */
export class UrlSource implements ByteSource {
  readonly path = null;
  private readonly blocks = new Map<number, Buffer>();

  constructor(
    private readonly url: string,
    readonly size: number,
    private readonly timeoutMs: number,
    private readonly onReading: (reading: boolean) => void,
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
    this.blocks.clear();
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
    this.onReading(true);
    try {
      // Stores answer 503 or cut a connection now and then; a second try spares the caller a whole round.
      return await this.request(start, end).catch(async () => {
        await sleep(200);
        return this.request(start, end);
      });
    } catch (error) {
      throw error instanceof SourceError
        ? error
        : new SourceError('the connection to the object store failed');
    } finally {
      this.onReading(false);
    }
  }

  private async request(start: number, end: number): Promise<Buffer> {
    const response = await fetch(this.url, {
      headers: { range: `bytes=${start}-${end - 1}` },
      redirect: 'error',
      signal: AbortSignal.timeout(this.timeoutMs),
    });
    // 200 would be the whole object, gigabytes of it: never read that.
    if (
      response.status !== 206 ||
      Number(response.headers.get('content-length') ?? end - start) !== end - start
    ) {
      await response.body?.cancel();
      throw new SourceError(`the object store answered ${response.status} to a range request`);
    }
    const bytes = Buffer.from(await response.arrayBuffer());
    if (bytes.length !== end - start)
      throw new SourceError('the object store sent fewer bytes than asked for');
    return bytes;
  }
}
