import { Injectable } from '@nestjs/common';
import type { InClient } from '../access/principal.js';
import { Database } from '../database/database.js';
import { liveInItsFolder } from '../database/live.js';
import { THUMBNAIL } from '../preview/rendition.rules.js';

/** As many as a small mosaic has. */
const PICTURES = 4;
/** The assets that are looked at in each batch and folder, so that files without a thumbnail cost little. */
const CANDIDATES = 16;

const HAS_THUMBNAIL = `EXISTS (SELECT 1 FROM renditions r
  WHERE r.client_id = $1 AND r.asset_id = a.id AND r.name = '${THUMBNAIL.name}' AND r.status = 'ready')`;

/** The newest of a batch of assets; in a batch of folders, first those of the folder that was trashed. */
const PICTURES_OF_BATCHES = `
  SELECT b.id AS "batchId", p.id AS "assetId"
    FROM trash_batches b
   CROSS JOIN LATERAL (
     (SELECT a.id
        FROM (SELECT id FROM assets WHERE client_id = $1 AND batch_id = b.id ORDER BY id DESC LIMIT ${CANDIDATES}) a
       WHERE ${HAS_THUMBNAIL} ORDER BY a.id DESC LIMIT ${PICTURES})
     UNION ALL
     (SELECT a.id
        FROM (SELECT id, id <> b.folder_id AS is_below FROM folders
               WHERE client_id = $1 AND batch_id = b.id AND b.folder_id IS NOT NULL ORDER BY is_below, id) f
       CROSS JOIN LATERAL (
         SELECT id, created_at FROM assets
          WHERE client_id = $1 AND folder_id = f.id AND ${liveInItsFolder()}
          ORDER BY created_at DESC, id DESC LIMIT ${CANDIDATES}) a
       WHERE ${HAS_THUMBNAIL} ORDER BY f.is_below, f.id, a.created_at DESC, a.id DESC LIMIT ${PICTURES})
     LIMIT ${PICTURES}) p
   WHERE b.client_id = $1 AND b.id = ANY($2::uuid[])`;

/** The assets whose thumbnails show what is in a batch. */
@Injectable()
export class TrashPicturesRepository {
  constructor(private readonly database: Database) {}

  /** Up to four per batch, for all batches in one query. */
  async find({ clientId }: InClient, batchIds: readonly string[]): Promise<Map<string, string[]>> {
    const rows = await this.database.manager.query<{ batchId: string; assetId: string }[]>(
      PICTURES_OF_BATCHES,
      [clientId, batchIds],
    );
    const found = new Map<string, string[]>(batchIds.map((id) => [id, []]));
    for (const { batchId, assetId } of rows) found.get(batchId)!.push(assetId);
    return found;
  }
}
