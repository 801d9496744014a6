import { Injectable } from '@nestjs/common';
import { ByteBoundedMap } from '../common/byte-bounded-map.js';
import type { Asset } from '../database/entities/asset.entity.js';
import type { SupportedMime } from '../media/file-types.js';
import { contentTypeOf } from './rendition.rules.js';
import type { SmallPicture } from '../media/media.types.js';

const MAX_BYTES = 64 * 1024 * 1024;
/** Slightly less than the pixels of most `small` previews. */
const MAX_KEPT_FILE_BYTES = 768 * 1024;

/** What remains of an upload after its verification: its pixels at preview size, or the file itself. */
export type UploadedPicture = { kind: 'pixels'; picture: SmallPicture } | { kind: 'bytes'; bytes: Buffer };

export interface FreshPicture {
  readonly uploaded: UploadedPicture;
  /** The size of the original. */
  readonly original: { readonly width: number; readonly height: number };
}

/**
 * A small JPEG usually takes less memory than its pixels, and verifying it without producing them is three times as fast. Making previews
 * from it later takes hardly longer, because libjpeg scales it while decoding.
 */
export function isKeptAsFile(mimeType: SupportedMime, sizeBytes: number): boolean {
  return mimeType === contentTypeOf('jpeg') && sizeBytes <= MAX_KEPT_FILE_BYTES;
}

/**
 * The pictures of recent uploads, whose first renditions then need no second download. Their total size is limited and the oldest are removed
 * first; without one, the original is read.
 */
@Injectable()
export class FreshPictures {
  private readonly items = new ByteBoundedMap<FreshPicture>(MAX_BYTES, ({ uploaded }) =>
    uploaded.kind === 'bytes' ? uploaded.bytes.length : uploaded.picture.data.length,
  );

  /** Then the oldest should be used, before they are removed. */
  get areHalfFull(): boolean {
    return this.items.totalBytes > MAX_BYTES / 2;
  }

  get(assetId: string): FreshPicture | undefined {
    return this.items.get(assetId);
  }

  put({ id, width, height }: Pick<Asset, 'id' | 'width' | 'height'>, uploaded: UploadedPicture): void {
    this.items.set(id, { uploaded, original: { width, height } });
  }

  delete(assetId: string): void {
    this.items.delete(assetId);
  }
}
