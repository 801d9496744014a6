import type { components } from '../../api/schema';

type Schemas = components['schemas'];

export type Asset = Schemas['AssetDto'];
export type Folder = Schemas['FolderDto'];
export type CountedFolder = Schemas['CountedFolderDto'];
export type LibraryPage = Schemas['LibraryPageDto'];
export type AssetChange = Schemas['UpdateAssetDto'];
export type FocalPoint = Schemas['FocalPointDto'];
export type Usage = Schemas['UsageDto'];
export type ChannelFitness = Schemas['ChannelFitnessDto'];
export type FitnessReason = Schemas['FitnessReasonDto'];

export const SURFACES = ['website', 'social', 'gbp'] as const;
export type Surface = (typeof SURFACES)[number];
export type Verdict = 'ready' | 'fixable' | 'blocked';

export const SORTS = ['newest', 'oldest', 'title', 'size'] as const;
export type Sort = (typeof SORTS)[number];

export const MIME_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'video/mp4'] as const;
export type MimeType = (typeof MIME_TYPES)[number];

export const CHANNELS = [
  'wordpress',
  'instagram_feed',
  'instagram_reel',
  'instagram_story',
  'facebook',
  'linkedin',
  'x',
  'tiktok',
  'pinterest',
  'youtube_short',
  'gbp_photo',
  'gbp_video',
] as const;
export const FIT_FOR = [...SURFACES, ...CHANNELS] as const;
export type FitFor = (typeof FIT_FOR)[number];

export function isVideo(asset: Pick<Asset, 'mimeType'>): boolean {
  return asset.mimeType === 'video/mp4';
}

/** Logos and cut-outs are shown completely; photographs fill their card. */
export function isFitted(asset: Pick<Asset, 'mimeType'>): boolean {
  return asset.mimeType === 'image/png';
}

export function lacksAltText(asset: Pick<Asset, 'mimeType' | 'altText'>): boolean {
  return asset.altText === '';
}
