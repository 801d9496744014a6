import type { Asset } from '../database/entities/asset.entity.js';
import type { Delivery } from '../database/entities/delivery.entity.js';
import { fileType } from '../media/file-types.js';
import { type FitAsset, fitRendition } from '../preview/fit-rendition.rules.js';
import type { KindDefinition } from '../targets/kinds/kind-definition.js';
import { type Rendition, renditionFor, websiteRendition } from '../preview/rendition.rules.js';

/** The rendition that is sent instead of the original; null means the original. */
export function renditionToSend(
  { rendition, surface }: Pick<Delivery, 'rendition' | 'surface'>,
  asset: FitAsset & Pick<Asset, 'mimeType'>,
  originals: KindDefinition['originals'],
): Rendition | null {
  const { mimeType } = asset;
  if (rendition === 'fit') return fitRendition(asset, surface, 'original');
  if (rendition !== 'original')
    return renditionFor(rendition, fileType(mimeType).canBeTransparent ? 'webp' : 'jpeg');
  if (originals === 'stored') return null;
  return websiteRendition(mimeType);
}
