import type { components } from '../api/schema';

type Schemas = components['schemas'];

/** As in listings. The record of a single asset also says why a surface may refuse it. */
export type Asset = Schemas['ListedAssetDto'];
export type Folder = Schemas['FolderDto'];
export type CountedFolder = Schemas['CountedFolderDto'];
export type LibraryPage = Schemas['LibraryPageDto'];
export type AssetChange = Schemas['UpdateAssetDto'];
export type FocalPoint = Schemas['FocalPointDto'];
export type Usage = Schemas['UsageDto'];
export type ChannelFitness = Schemas['ChannelFitnessDto'];
export type Crop = Schemas['CropDto'];
export type FitnessReason = Schemas['FitnessReasonDto'];

export type Verdict = Schemas['Verdict'];

/** The ids of assets, each with its folder. */
export type Places = ReadonlyMap<string, string | null>;

export function lacksAltText(asset: Pick<Asset, 'mimeType' | 'altText'>): boolean {
  return asset.altText === '';
}
