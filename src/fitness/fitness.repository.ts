import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Asset } from '../database/entities/asset.entity.js';
import type { JudgedAsset } from './fitness.checks.js';
import { assetFitness, fitForOf } from './fitness.rules.js';
import { RULES_VERSION } from './publishing-limits.js';

export type StoredFacts = JudgedAsset & Pick<Asset, 'id' | 'clientId'>;

/** Recomputes the fitness of assets of all clients after the rules change. */
@Injectable()
export class FitnessRepository {
  /** Assets whose fitness is outdated or missing. Skips rows that are locked. */
  lockOutdated(take: number, manager: EntityManager): Promise<StoredFacts[]> {
    return manager.query<StoredFacts[]>(
      `SELECT id, client_id AS "clientId", mime_type AS "mimeType", size_bytes::float8 AS "sizeBytes", width, height,
              duration_ms::float8 AS "durationMs", media_facts AS "mediaFacts" FROM assets
        WHERE fitness_rules < $1 ORDER BY fitness_rules LIMIT $2 FOR UPDATE SKIP LOCKED`,
      [RULES_VERSION, take],
    );
  }

  /** Not an edit, so the version does not change. */
  async judge(assets: readonly StoredFacts[], manager: EntityManager): Promise<void> {
    const rows = assets.map((asset) => {
      const fitness = assetFitness(asset);
      return {
        id: asset.id,
        clientId: asset.clientId,
        fitness: JSON.stringify(fitness),
        fitFor: fitForOf(fitness),
      };
    });
    await manager.query(
      `UPDATE assets SET fitness = judged.fitness::json, fit_for = judged."fitFor", fitness_rules = $2
         FROM jsonb_to_recordset($1::jsonb) AS judged (id uuid, "clientId" text, fitness text, "fitFor" text[])
        WHERE assets.client_id = judged."clientId" AND assets.id = judged.id`,
      [JSON.stringify(rows), RULES_VERSION],
    );
  }
}
