import type { Asset } from '../database/entities/asset.entity.js';

/** The columns of an asset, for queries that are written by hand. */
export const ASSET_COLUMNS = `id, client_id, session_id, attempt, folder_id, title, description, alt_text, tags, allowed_surfaces,
  original_filename, mime_type, size_bytes, sha256, width, height, duration_ms, taken_at, placeholder, duplicate_of, batch_id,
  version, created_at, updated_at`;

/**
 * The condition for an asset to be live: neither it nor its folder is in the trash. Trashing a folder marks folders only, so
 * `batch_id` of an asset says nothing about its folder. Queries within folders known to be live need only the first half.
 */
export const liveAsset = (assets = 'assets'): string =>
  `${assets}.batch_id IS NULL AND NOT EXISTS (SELECT 1 FROM folders trashed
     WHERE trashed.client_id = ${assets}.client_id AND trashed.id = ${assets}.folder_id AND trashed.batch_id IS NOT NULL)`;

/** The other half, for statements whose first parameter is the client. */
export const TRASHED_FOLDERS = 'SELECT id FROM folders WHERE client_id = $1 AND batch_id IS NOT NULL';

export type AssetRow = Record<string, unknown>;

export function toAsset(row: AssetRow): Asset {
  return {
    id: row['id'],
    clientId: row['client_id'],
    sessionId: row['session_id'],
    attempt: row['attempt'],
    folderId: row['folder_id'],
    title: row['title'],
    description: row['description'],
    altText: row['alt_text'],
    tags: row['tags'],
    allowedSurfaces: row['allowed_surfaces'],
    originalFilename: row['original_filename'],
    mimeType: row['mime_type'],
    sizeBytes: Number(row['size_bytes']),
    sha256: row['sha256'],
    width: row['width'],
    height: row['height'],
    durationMs: row['duration_ms'] === null ? null : Number(row['duration_ms']),
    takenAt: row['taken_at'],
    placeholder: row['placeholder'],
    duplicateOf: row['duplicate_of'],
    batchId: row['batch_id'],
    version: row['version'],
    createdAt: row['created_at'],
    updatedAt: row['updated_at'],
  } as Asset;
}
