/**
 * The minimum for a page of assets, without authentication. `/columns`: Express and pg, one query, rows mapped to records, `res.json`.
 * `/json`: Postgres writes the page as JSON and Express sends the text. Neither computes the `assetRef`.
 */
import express from 'express';
import pg from 'pg';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE),
});

const COLUMNS = `id, client_id, folder_id, title, description, alt_text, tags, allowed_surfaces, original_filename, mime_type, size_bytes,
  sha256, width, height, duration_ms, taken_at, placeholder, duplicate_of, version, created_at, updated_at, focal_point, fitness`;
const PAGE = `FROM assets WHERE client_id = $1 AND folder_id = $2 AND batch_id IS NULL ORDER BY created_at DESC, id DESC LIMIT 100`;
const JSON_PAGE = `SELECT json_agg(record)::text AS records FROM (
  SELECT id AS "assetId", client_id AS "clientId", folder_id AS "folderId", title, description, alt_text AS "altText", tags,
    allowed_surfaces AS "allowedSurfaces", original_filename AS "originalFilename", mime_type AS "mimeType", size_bytes AS "sizeBytes",
    sha256, width, height, duration_ms AS "durationMs", taken_at AS "takenAt", placeholder, duplicate_of AS "duplicateOf", version,
    created_at AS "createdAt", updated_at AS "updatedAt", focal_point AS "focalPoint", fitness ${PAGE}) AS record`;

const app = express();
app.disable('etag');
app.get('/healthz', (_request, response) => response.json({ status: 'ok' }));
app.get('/columns/:clientId/:folderId', async (request, response) => {
  const { rows } = await pool.query(`SELECT ${COLUMNS} ${PAGE}`, [
    request.params.clientId,
    request.params.folderId,
  ]);
  response.json({ assets: rows.map(toRecord) });
});
app.get('/json/:clientId/:folderId', async (request, response) => {
  const { rows } = await pool.query(JSON_PAGE, [request.params.clientId, request.params.folderId]);
  response.type('json').send(`{"assets":${rows[0].records}}`);
});
const server = app.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => {
  server.closeAllConnections();
  process.exit(0);
});

function toRecord(row) {
  return {
    assetId: row.id,
    clientId: row.client_id,
    folderId: row.folder_id,
    title: row.title,
    description: row.description,
    altText: row.alt_text,
    tags: row.tags,
    allowedSurfaces: row.allowed_surfaces,
    originalFilename: row.original_filename,
    mimeType: row.mime_type,
    sizeBytes: Number(row.size_bytes),
    sha256: row.sha256,
    width: row.width,
    height: row.height,
    durationMs: row.duration_ms && Number(row.duration_ms),
    takenAt: row.taken_at,
    placeholder: row.placeholder,
    duplicateOf: row.duplicate_of,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    focalPoint: row.focal_point,
    fitness: row.fitness,
  };
}
