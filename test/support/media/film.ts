import { randomBytes } from 'node:crypto';
import { demoSample } from './media-harness.js';

const BLOCK = 1024 * 1024;
const PAGE = 4096;

/**
 * A valid video of any size: a small one, followed by data that its index does not refer to. Never held in memory
 * completely. Every page of it is numbered, so that a part from the wrong position is noticed.
 */
export class Film {
  private readonly head: Buffer;
  private readonly noise = randomBytes(BLOCK);

  constructor(readonly sizeBytes: number) {
    const small = demoSample('steam.mp4');
    const header = Buffer.alloc(16);
    header.writeUInt32BE(1, 0);
    header.write('mdat', 4, 'latin1');
    header.writeBigUInt64BE(BigInt(sizeBytes - small.length), 8);
    this.head = Buffer.concat([small, header]);
  }

  /** Its bytes from `start`, `end` excluded. */
  slice(start: number, end: number): Buffer {
    const parts: Buffer[] = [];
    for (let at = start; at < end;) {
      const part = this.partAt(at);
      parts.push(part.subarray(0, end - at));
      at += part.length;
    }
    return Buffer.concat(parts);
  }

  *chunks(): Generator<Buffer> {
    for (let at = 0; at < this.sizeBytes;) {
      const part = this.partAt(at).subarray(0, this.sizeBytes - at);
      yield part;
      at += part.length;
    }
  }

  /** The data at a position, to the end of its block. */
  private partAt(position: number): Buffer {
    if (position < this.head.length) return this.head.subarray(position);
    const at = position - this.head.length;
    const first = at - (at % BLOCK);
    const block = Buffer.from(this.noise);
    for (let page = 0; page < BLOCK; page += PAGE) block.writeBigUInt64BE(BigInt(first + page), page);
    return block.subarray(at - first);
  }
}
