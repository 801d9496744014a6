import type { components } from '../../api/schema';
import type { Surface } from '../../api/values';
import type { Asset } from '../../library/asset-types';
import { downloadUrl } from '../../library/preview-url';

export type FitShape = components['schemas']['FitShape'];

// The compiler requires every value of the API, and no others.
const SHAPES: Record<FitShape, true> = {
  original: true,
  square: true,
  portrait: true,
  landscape: true,
  story: true,
};
export const FIT_SHAPES = Object.keys(SHAPES) as FitShape[];

/** What is delivered to a surface instead of the original. */
interface ResizedCopy {
  readonly fit: Surface;
  readonly shape: FitShape;
}

export function resizedDownloadUrl(basePath: string, assetId: string, { fit, shape }: ResizedCopy): string {
  return `${downloadUrl(basePath, assetId)}?${new URLSearchParams({ fit, shape }).toString()}`;
}

export function resizedPreviewUrl(
  basePath: string,
  asset: Pick<Asset, 'assetId' | 'version'>,
  { fit, shape }: ResizedCopy,
): string {
  const query = new URLSearchParams({ fit, shape, v: String(asset.version) });
  return `${basePath}/assets/${asset.assetId}/preview?${query.toString()}`;
}
