import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../../database/database.js';

@Injectable()
export class AdoptionRepository {
  constructor(private readonly database: Database) {}

  async findClients(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.manager.query<{ id: string }[]>(
      'SELECT id FROM clients WHERE id = ANY($1::text[])',
      [[...new Set(ids)]],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Finds the ids that must not be adopted: the asset exists, its upload may still become one, or its session shows that the asset was
   * purged.
   */
  async findTaken(
    assetIds: readonly string[],
    manager: EntityManager = this.database.manager,
  ): Promise<Set<string>> {
    const rows = await manager.query<{ id: string }[]>(
      `SELECT id FROM assets WHERE id = ANY($1::uuid[])
       UNION
       SELECT asset_id FROM upload_sessions
        WHERE asset_id = ANY($1::uuid[]) AND status IN ('pending', 'finalizing', 'finalized')`,
      [assetIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** The names of files whose upload was open when the backup was made, by asset. */
  async findFilenames(assetIds: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.database.manager.query<{ assetId: string; filename: string }[]>(
      `SELECT asset_id AS "assetId", original_filename AS filename FROM upload_sessions WHERE asset_id = ANY($1::uuid[])`,
      [assetIds],
    );
    return new Map(rows.map(({ assetId, filename }) => [assetId, filename]));
  }
}
