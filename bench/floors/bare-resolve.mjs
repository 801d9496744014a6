/**
 * The minimum for looking up 100 assets by id, without authentication. `/records`: Postgres writes the records as JSON, and
 * Express sends the text. `/columns`: the same assets as columns, mapped to records, `res.json`. Neither authenticates, decodes an
 * `assetRef`, checks a surface or shares connections between clients.
 */
import express from 'express';
import pg from 'pg';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE),
});

const FOUND = `SELECT id AS "assetId", client_id AS "clientId", folder_id AS "folderId", title, description, alt_text AS "altText", tags,
    allowed_surfaces AS "allowedSurfaces", original_filename AS "originalFilename", mime_type AS "mimeType", size_bytes AS "sizeBytes",
    sha256, width, height, duration_ms AS "durationMs", taken_at AS "takenAt", placeholder, duplicate_of AS "duplicateOf", version,
    created_at AS "createdAt", updated_at AS "updatedAt", focal_point AS "focalPoint", fitness
  FROM assets WHERE client_id = $1 AND id = ANY($2::uuid[]) AND batch_id IS NULL
    AND NOT EXISTS (SELECT 1 FROM folders WHERE folders.id = assets.folder_id AND folders.batch_id IS NOT NULL)`;
const RECORDS = {
  name: 'records',
  text: `SELECT row_to_json(found)::text AS record FROM (${FOUND}) AS found`,
};
const COLUMNS = { name: 'columns', text: FOUND };

const app = express();
app.disable('etag');
app.use(express.json());
app.get('/healthz', (_request, response) => response.json({ status: 'ok' }));
app.post('/records/:clientId', async (request, response) => {
  const values = [request.params.clientId, request.body.assetIds];
  const { rows } = await pool.query({ ...RECORDS, values });
  response.type('json').send(`{"results":[${rows.map(({ record }) => record).join(',')}]}`);
});
app.post('/columns/:clientId', async (request, response) => {
  const values = [request.params.clientId, request.body.assetIds];
  const { rows } = await pool.query({ ...COLUMNS, values });
  response.json({ results: rows });
});
const server = app.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => {
  server.closeAllConnections();
  process.exit(0);
});
