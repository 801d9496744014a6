import type { Asset } from '../../database/entities/asset.entity.js';
import type { Usage } from '../../database/entities/usage.entity.js';
import type { PlacedFolder } from '../../folders/folders.service.js';

export interface FiledPost {
  readonly usage: Usage;
  readonly asset: Asset;
  readonly folder: PlacedFolder;
}
