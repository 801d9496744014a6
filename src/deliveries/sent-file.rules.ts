import type { TargetKind } from '../database/entities/target.entity.js';
import type { Asset } from '../database/entities/asset.entity.js';
import type { Delivery } from '../database/entities/delivery.entity.js';
import type { SupportedMime } from '../media/media.types.js';
import { type FitAsset, fitRendition } from '../preview/fit-rendition.rules.js';
import { type Rendition, renditionFor, websiteRendition } from '../preview/rendition.rules.js';

/**
 * The rendition that is sent instead of the original; null means the original. WordPress rotates, scales and describes pictures by their
 * metadata, so it receives pictures that need none of this: upright, without metadata, and no larger than its limit.
 */
export function renditionToSend(
  { rendition, surface }: Pick<Delivery, 'rendition' | 'surface'>,
  asset: FitAsset & Pick<Asset, 'mimeType'>,
  targetKind: TargetKind,
): Rendition | null {
  const { mimeType } = asset;
  if (rendition === 'fit') return fitRendition(asset, surface, 'original');
  if (rendition !== 'original') return renditionFor(rendition, hasTransparency(mimeType) ? 'webp' : 'jpeg');
  if (targetKind !== 'wordpress' || mimeType === 'video/mp4') return null;
  return websiteRendition(mimeType);
}

function hasTransparency(mimeType: SupportedMime): boolean {
  return mimeType === 'image/png' || mimeType === 'image/webp';
}
