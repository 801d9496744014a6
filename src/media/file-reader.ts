import { type FileHandle, open } from 'node:fs/promises';
import type { RangeReader } from './decoder-child.js';
import { MediaUnavailableError } from './media.types.js';

/** Reads a local file for a decoder. */
export class FileReader implements RangeReader {
  private constructor(
    private readonly handle: FileHandle,
    readonly size: number,
  ) {}

  static async open(path: string): Promise<FileReader> {
    try {
      const handle = await open(path, 'r');
      return new FileReader(handle, (await handle.stat()).size);
    } catch (cause) {
      throw new MediaUnavailableError('the temporary copy of the file could not be opened', { cause });
    }
  }

  async read(start: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(length);
    for (let filled = 0; filled < length;) {
      const { bytesRead } = await this.handle.read(bytes, filled, length - filled, start + filled);
      if (bytesRead === 0) throw new MediaUnavailableError('the temporary copy of the file is truncated');
      filled += bytesRead;
    }
    return bytes;
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}
