import { Injectable } from '@nestjs/common';
import { ByteBoundedMap } from '../common/byte-bounded-map.js';

const MAX_BYTES = 64 * 1024 * 1024;
/** More than a `small` one takes, however grainy the picture. */
const MAX_ITEM_BYTES = 256 * 1024;

/** Small renditions that were asked for lately, within a bound of memory. Asked only after authorization, never before it. */
@Injectable()
export class HotRenditions {
  private readonly items = new ByteBoundedMap<Buffer>(MAX_BYTES, ({ length }) => length);

  /** The content hash is part of the key: what is made anew is never mistaken for what was. */
  get(sha256: string): Buffer | undefined {
    const item = this.items.get(sha256);
    // What is used becomes the youngest: what is not falls off the other end.
    if (item !== undefined) this.items.set(sha256, item);
    return item;
  }

  put(sha256: string, item: Buffer): void {
    if (this.accepts(item.length) && !this.items.has(sha256)) this.items.set(sha256, item);
  }

  accepts(sizeBytes: number): boolean {
    return sizeBytes <= MAX_ITEM_BYTES;
  }
}
