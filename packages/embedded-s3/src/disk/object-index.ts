import type { Segment } from './blobs.js';

/** The metadata of an object; on disk a small JSON file, the object's record. */
export interface StoredObject {
  key: string;
  etag: string;
  size: number;
  modified: string;
  /** Headers that are stored and returned with the object: content type, user metadata and so on. */
  headers: Record<string, string>;
  checksums: Record<string, string>;
  segments: Segment[];
}

/** A key as one character per UTF-8 byte, because JavaScript would compare UTF-16 units where S3 compares bytes. */
export function byteString(key: string): string {
  return Buffer.from(key, 'utf8').toString('latin1');
}

export function fromByteString(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The objects of a bucket, by key and sorted by key. */
export class ObjectIndex {
  private readonly byKey = new Map<string, StoredObject>();
  private readonly ordered: string[];

  constructor(objects: StoredObject[] = []) {
    for (const object of objects) this.byKey.set(object.key, object);
    this.ordered = objects.map(({ key }) => byteString(key)).sort();
  }

  get size(): number {
    return this.ordered.length;
  }

  get(key: string): StoredObject | undefined {
    return this.byKey.get(key);
  }

  set(object: StoredObject): void {
    if (!this.byKey.has(object.key)) {
      const bytes = byteString(object.key);
      this.ordered.splice(this.positionOf(bytes), 0, bytes);
    }
    this.byKey.set(object.key, object);
  }

  delete(key: string): void {
    if (this.byKey.delete(key)) this.ordered.splice(this.positionOf(byteString(key)), 1);
  }

  /** The first position whose key is not less than the given byte string. */
  positionOf(bytes: string): number {
    let low = 0;
    let high = this.ordered.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.ordered[middle]! < bytes) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  bytesAt(position: number): string | undefined {
    return this.ordered[position];
  }
}
