import { Injectable } from '@nestjs/common';
import type { ClientScope } from '../auth/principal.js';
import { Problem } from '../common/errors/problem.js';
import type { Asset } from '../database/entities/asset.entity.js';
import { parseAssetId } from './asset-ref.js';
import { AssetsRepository } from './assets.repository.js';

@Injectable()
export class AssetsService {
  constructor(private readonly assets: AssetsRepository) {}

  /** By id or `assetRef`. */
  async get(scope: ClientScope, idOrRef: string): Promise<Asset> {
    const id = parseAssetId(idOrRef);
    const asset = id === null ? null : await this.assets.findById(scope, id);
    if (asset === null) throw new Problem('asset_not_found');
    return asset;
  }
}
