import type { Asset } from '../../database/entities/asset.entity.js';

export interface PickedAsset {
  readonly assetRef: string;
  readonly score: number;
  readonly reasons: string[];
  readonly asset: Asset;
}
