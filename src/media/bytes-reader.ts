import type { RangeReader } from './decoder-child.js';

/** Provides a decoder with bytes that are in memory. */
export class BytesReader implements RangeReader {
  constructor(private readonly bytes: Buffer) {}

  get size(): number {
    return this.bytes.length;
  }

  read(start: number, length: number): Promise<Buffer> {
    return Promise.resolve(this.bytes.subarray(start, start + length));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
