import type { TargetKind } from '../database/entities/target.entity.js';
import type { Asset } from '../database/entities/asset.entity.js';
import type { Delivery } from '../database/entities/delivery.entity.js';
import { fileType } from '../media/file-types.js';
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
  if (rendition !== 'original')
    return renditionFor(rendition, fileType(mimeType).canBeTransparent ? 'webp' : 'jpeg');
  if (targetKind !== 'wordpress') return null;
  return websiteRendition(mimeType);
}
