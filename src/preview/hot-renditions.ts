import { Injectable } from '@nestjs/common';
import { ByteBoundedMap } from '../common/byte-bounded-map.js';

const MAX_BYTES = 64 * 1024 * 1024;
/** Larger than any `small` rendition, however grainy the picture. */
const MAX_ITEM_BYTES = 256 * 1024;

/** Recently requested small renditions, with a limited total size. Only accessed after authorization. */
@Injectable()
export class HotRenditions {
  private readonly items = new ByteBoundedMap<Buffer>(MAX_BYTES, ({ length }) => length);

  /** The content hash is part of the key, so a new version is never mistaken for an old one. */
  get(sha256: string): Buffer | undefined {
    const item = this.items.get(sha256);
    // A used entry becomes the newest; unused ones are eventually removed.
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
