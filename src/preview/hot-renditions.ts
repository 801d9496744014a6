import { Injectable } from '@nestjs/common';

const MAX_BYTES = 64 * 1024 * 1024;
/** More than a `small` one takes, however grainy the picture. */
const MAX_ITEM_BYTES = 256 * 1024;

/** Small renditions that were asked for lately, within a bound of memory. Asked only after authorization, never before it. */
@Injectable()
export class HotRenditions {
  private readonly items = new Map<string, Buffer>();
  private bytes = 0;

  /** The content hash is part of the key: what is made anew is never mistaken for what was. */
  get(sha256: string): Buffer | undefined {
    const item = this.items.get(sha256);
    if (item !== undefined) {
      // A Map keeps the order of insertion: what is used moves to the end, what is not falls off the front.
      this.items.delete(sha256);
      this.items.set(sha256, item);
    }
    return item;
  }

  put(sha256: string, item: Buffer): void {
    if (item.length > MAX_ITEM_BYTES || this.items.has(sha256)) return;
    this.items.set(sha256, item);
    this.bytes += item.length;
    for (const [oldest, { length }] of this.items) {
      if (this.bytes <= MAX_BYTES) break;
      this.items.delete(oldest);
      this.bytes -= length;
    }
  }

  accepts(sizeBytes: number): boolean {
    return sizeBytes <= MAX_ITEM_BYTES;
  }
}
