import { PutObjectCommand } from '@aws-sdk/client-s3';
import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { searchTextOf } from '../../../src/assets/search.rules.js';
import type { CreatorKind } from '../../../src/database/entities/asset.entity.js';
import { RULES_VERSION } from '../../../src/fitness/publishing-limits.js';
import { claimBucket, query, type RunningService, storeClient } from '../services/service.js';

export interface SeedAsset {
  assetId?: string;
  attempt?: string;
  folderId?: string | null;
  title?: string;
  description?: string;
  altText?: string;
  tags?: string[];
  allowedSurfaces?: string[];
  originalFilename?: string;
  mimeType?: string;
  sizeBytes?: number;
  width?: number;
  height?: number;
  takenAt?: string | null;
  createdAt?: string;
  sha256?: string;
  createdByKind?: CreatorKind | null;
  createdById?: string | null;
  fitFor?: string[] | null;
}

const DEFAULTS = {
  folderId: null,
  title: 'Untitled',
  description: '',
  altText: '',
  tags: [] as string[],
  allowedSurfaces: [] as string[],
  originalFilename: 'file.jpg',
  mimeType: 'image/jpeg',
  sizeBytes: 1000,
  width: 10,
  height: 10,
  takenAt: null,
  createdByKind: null,
  createdById: null,
  fitFor: null,
};

/**
 * Inserts finalized assets directly into the database: fast, but without objects in the bucket. Returns their ids in order. They
 * have no fitness, and the job that judges assets leaves them alone: it would change them in the middle of a test.
 */
export async function seedAssets(
  databaseUrl: string,
  clientId: string,
  assets: readonly SeedAsset[],
): Promise<string[]> {
  const rows = assets.map((given) => {
    const asset = { ...DEFAULTS, createdAt: new Date().toISOString(), ...given };
    return {
      attempt: randomUUID(),
      sessionId: v7(),
      ...asset,
      assetId: given.assetId ?? v7(),
      searchText: searchTextOf(asset),
    };
  });
  await query(databaseUrl, SEED, [clientId, JSON.stringify(rows)]);
  return rows.map(({ assetId }) => assetId);
}

const SEED = `
  WITH given AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS r("assetId" uuid, "sessionId" uuid, attempt uuid, "folderId" uuid, title text,
      description text, "altText" text, tags text[], "allowedSurfaces" text[], "originalFilename" text, "mimeType" text,
      "sizeBytes" bigint, width integer, height integer, "takenAt" timestamptz, "createdAt" timestamptz, "searchText" text, sha256 text,
      "createdByKind" text, "createdById" uuid, "fitFor" text[])
  ), sessions AS (
    INSERT INTO upload_sessions (id, client_id, token_hash, status, asset_id, attempt, original_filename, mime_type,
        expected_size_bytes, url_expires_at, expires_at)
      SELECT "sessionId", $1, sha256("sessionId"::text::bytea), 'finalized', "assetId", attempt, "originalFilename", "mimeType",
        "sizeBytes", now(), now() FROM given
  )
  INSERT INTO assets (id, client_id, session_id, attempt, folder_id, title, description, alt_text, tags, allowed_surfaces,
      original_filename, mime_type, size_bytes, sha256, width, height, taken_at, created_at, search_text,
      created_by_kind, created_by_id, created_by_name, fit_for, is_copy, fitness_rules)
    SELECT "assetId", $1, "sessionId", attempt, "folderId", title, description, "altText", tags, "allowedSurfaces",
      "originalFilename", "mimeType", "sizeBytes", coalesce(sha256, md5("assetId"::text)), width, height, "takenAt", "createdAt", "searchText",
      "createdByKind", "createdById", 'Creator', "fitFor", sha256 IS NOT NULL, ${RULES_VERSION} FROM given`;

export interface SeedFile extends SeedAsset {
  bytes: Buffer;
}

export interface SeededFile {
  assetId: string;
  key: string;
}

/** Assets with their objects, which can have any bytes. */
export async function seedFiles(
  service: RunningService,
  clientId: string,
  files: readonly SeedFile[],
): Promise<SeededFile[]> {
  await claimBucket(service);
  const store = storeClient();
  const placed = files.map((file) => ({ ...file, assetId: file.assetId ?? v7(), attempt: randomUUID() }));
  const keyOf = (file: { assetId: string; attempt: string }) =>
    `clients/${clientId}/assets/${file.assetId}/${file.attempt}`;
  for (let start = 0; start < placed.length; start += 32) {
    const group = placed.slice(start, start + 32);
    const puts = group.map((file) =>
      store.send(new PutObjectCommand({ Bucket: service.bucket, Key: keyOf(file), Body: file.bytes })),
    );
    await Promise.all(puts);
  }
  store.destroy();
  const rows = placed.map(({ bytes, ...asset }) => ({ ...asset, sizeBytes: bytes.length }));
  await seedAssets(service.databaseUrl, clientId, rows);
  return placed.map((file) => ({ assetId: file.assetId, key: keyOf(file) }));
}
