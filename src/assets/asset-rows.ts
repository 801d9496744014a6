import type { Asset, AssetFitness } from '../database/entities/asset.entity.js';
import { assetFitness, type JudgedAsset } from '../fitness/fitness.rules.js';
import { toAssetRef } from '../common/asset-ref.js';

/** The columns of an asset, for handwritten queries. */
export const ASSET_COLUMNS = `id, client_id, session_id, attempt, folder_id, title, description, alt_text, tags, allowed_surfaces,
  original_filename, mime_type, size_bytes, sha256, width, height, duration_ms, taken_at, placeholder, duplicate_of, media_facts,
  focal_point, fitness, usages, batch_id, version, created_at, updated_at`;

const isoTime = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * An asset as JSON, exactly as `AssetDto` except for its ids. Postgres writes the records of a page, so that the service need not parse and
 * serialize every field.
 */
export const ASSET_RECORD = `(SELECT row_to_json(record) FROM (SELECT client_id AS "clientId", folder_id AS "folderId", title, description,
  alt_text AS "altText", tags, allowed_surfaces AS "allowedSurfaces", original_filename AS "originalFilename", mime_type AS "mimeType",
  size_bytes AS "sizeBytes", sha256, width, height, duration_ms AS "durationMs", ${isoTime('taken_at')} AS "takenAt", placeholder,
  duplicate_of AS "duplicateOf", version, ${isoTime('created_at')} AS "createdAt", ${isoTime('updated_at')} AS "updatedAt",
  usages, focal_point AS "focalPoint", fitness
  ) AS record)::text`;

/** The end of a record without fitness. */
const UNJUDGED = '"fitness":null}';

/** Completes an `ASSET_RECORD`. Encoding the reference is much cheaper here than in SQL. */
export function toAssetJson(id: string, record: string): string {
  const ids = `{"assetId":"${id}","assetRef":"${toAssetRef(id)}",`;
  if (!record.endsWith(UNJUDGED)) return ids + record.slice(1);
  const fitness = assetFitness({ ...(JSON.parse(record) as JudgedAsset), mediaFacts: null });
  return `${ids}${record.slice(1, -UNJUDGED.length)}"fitness":${JSON.stringify(fitness)}}`;
}

export type AssetRow = Record<string, unknown>;

export function toAsset(row: AssetRow): Asset {
  const asset = {
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
    mediaFacts: row['media_facts'],
    focalPoint: row['focal_point'],
    usages: row['usages'],
    batchId: row['batch_id'],
    version: row['version'],
    createdAt: row['created_at'],
    updatedAt: row['updated_at'],
  } as Asset;
  return { ...asset, fitness: (row['fitness'] as AssetFitness | null) ?? assetFitness(asset) };
}
