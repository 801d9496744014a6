import type { Asset } from './asset-types';

export type PreviewSize = 'thumb' | 'small' | 'large';

/** With the version in the URL, browsers can cache the picture without revalidating it. */
export function previewUrl(
  basePath: string,
  asset: Pick<Asset, 'assetId' | 'version'>,
  size?: PreviewSize,
): string {
  const query = new URLSearchParams({ ...(size ? { size } : {}), v: String(asset.version) });
  return `${basePath}/assets/${asset.assetId}/preview?${query.toString()}`;
}

/** The thumbnail of an asset that is in the trash. */
export function trashPreviewUrl(basePath: string, assetId: string): string {
  return `${basePath}/assets/trash/${assetId}/preview`;
}

export function downloadUrl(basePath: string, assetId: string): string {
  return `${basePath}/assets/${assetId}/download`;
}

export function zipUrl(basePath: string, folderId: string | null): string {
  return `${basePath}/assets/folders/download${folderId === null ? '' : `?folderId=${folderId}`}`;
}
