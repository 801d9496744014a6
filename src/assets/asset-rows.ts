import type { Asset, AssetFitness } from '../database/entities/asset.entity.js';
import { assetFitness } from '../fitness/fitness.rules.js';

/** A row with the columns of `columnsOf(Asset)`. Fitness is null until it is computed. */
export type AssetRow = Omit<Asset, 'fitness'> & { fitness: AssetFitness | null };

export function toAsset(row: AssetRow): Asset {
  return { ...row, fitness: row.fitness ?? assetFitness(row) };
}
