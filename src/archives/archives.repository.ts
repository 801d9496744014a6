import { Injectable } from '@nestjs/common';
import type { ClientScope } from '../auth/principal.js';
import { Database } from '../database/database.js';

export interface ArchivedAsset {
  readonly id: string;
  readonly folderId: string | null;
  readonly attempt: string;
  readonly originalFilename: string;
  readonly sizeBytes: number;
  readonly date: Date;
}

@Injectable()
export class ArchivesRepository {
  constructor(private readonly database: Database) {}

  /** In order of creation, so that the same library always gives the same archive. */
  async findAssets(scope: ClientScope, folderIds: readonly string[] | null): Promise<ArchivedAsset[]> {
    const rows = await this.database.manager.query<
      (Omit<ArchivedAsset, 'sizeBytes'> & { sizeBytes: string })[]
    >(
      `SELECT id, folder_id AS "folderId", attempt, original_filename AS "originalFilename", size_bytes AS "sizeBytes",
              coalesce(taken_at, created_at) AS date
         FROM assets WHERE client_id = $1 AND batch_id IS NULL AND ($2::uuid[] IS NULL OR folder_id = ANY($2::uuid[]))
        ORDER BY created_at, id`,
      [scope.clientId, folderIds],
    );
    return rows.map((row) => ({ ...row, sizeBytes: Number(row.sizeBytes) }));
  }
}
