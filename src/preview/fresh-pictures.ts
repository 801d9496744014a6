import { Injectable } from '@nestjs/common';
import { ByteBoundedMap } from '../common/byte-bounded-map.js';
import type { Asset } from '../database/entities/asset.entity.js';
import type { SmallPicture } from '../media/media.types.js';

const MAX_BYTES = 64 * 1024 * 1024;

/** A decoded picture, and the size of its original. */
export interface FreshPicture {
  readonly picture: SmallPicture;
  readonly original: { readonly width: number; readonly height: number };
}

/**
 * Small decoded pictures of recently uploaded assets, whose first renditions then need neither the original nor another decoding. Their
 * total size is limited and the oldest are removed first; without one, the original is read.
 */
@Injectable()
export class FreshPictures {
  private readonly items = new ByteBoundedMap<FreshPicture>(MAX_BYTES, ({ picture }) => picture.data.length);

  /** Then the oldest should be used, before they are removed. */
  get areHalfFull(): boolean {
    return this.items.totalBytes > MAX_BYTES / 2;
  }

  get(assetId: string): FreshPicture | undefined {
    return this.items.get(assetId);
  }

  put({ id, width, height }: Pick<Asset, 'id' | 'width' | 'height'>, picture: SmallPicture): void {
    this.items.set(id, { picture, original: { width, height } });
  }

  delete(assetId: string): void {
    this.items.delete(assetId);
  }
}
