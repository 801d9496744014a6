import { type FileHandle, open } from 'node:fs/promises';

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

/** A larger answer would take the parent's memory several times over. */
const MAX_READ = 4 * 1024 * 1024;

/** Bytes that the parent reads for us: decoders have no network. */
export class ParentSource implements ByteSource {
  readonly path = null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly size: number,
    private readonly ask: (start: number, end: number) => Promise<Buffer>,
  ) {}

  /** One after another, as the parent demands. */
  read(start: number, length: number): Promise<Buffer> {
    const next = this.last.then(() => this.readNow(start, Math.min(start + length, this.size)));
    this.last = next.catch(() => undefined);
    return next;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async readNow(start: number, end: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for (let at = start; at < end; at += MAX_READ)
      pieces.push(await this.ask(at, Math.min(at + MAX_READ, end)));
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }
}
