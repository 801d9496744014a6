/**
 * The least that opening a folder takes: Express 5 and pg, and the same queries as the service sends: who is calling, where the folder
 * is, a page of assets, how many there are, what folders are in it.
 */
import { createHash } from 'node:crypto';
import express from 'express';
import pg from 'pg';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE),
});

const KEY = `SELECT id, name, NULL AS email, role, client_ids, coalesce(last_used_at < now() - interval '1 minute', true) AS note_use
  FROM api_keys WHERE key_hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`;
const PATH = `WITH RECURSIVE path AS (
    SELECT f.*, 0 AS level FROM folders f WHERE client_id = $1 AND id = $2 AND batch_id IS NULL
    UNION ALL
    SELECT f.*, path.level + 1 FROM folders f JOIN path ON f.client_id = $1 AND f.id = path.parent_id WHERE f.batch_id IS NULL
  ) SELECT * FROM path ORDER BY level DESC`;
const PAGE = `SELECT id, client_id, session_id, attempt, folder_id, title, description, alt_text, tags, allowed_surfaces,
    original_filename, mime_type, size_bytes, sha256, width, height, duration_ms, taken_at, placeholder, duplicate_of, batch_id,
    version, created_at, updated_at, created_at AS sort_key
  FROM assets WHERE client_id = $1 AND batch_id IS NULL AND folder_id = $2
  ORDER BY folder_id DESC, created_at DESC, id DESC LIMIT 51`;
const COUNT = 'SELECT count(*) FROM assets WHERE client_id = $1 AND batch_id IS NULL AND folder_id = $2';
const CHILDREN =
  'SELECT * FROM folders WHERE client_id = $1 AND batch_id IS NULL AND parent_id = $2 ORDER BY name_key';

const app = express();
app.disable('etag');
app.get('/healthz', (_request, response) => response.json({ status: 'ok' }));
app.get('/admin/clients/:clientId/assets', async (request, response) => {
  const token = (request.headers.authorization ?? '').replace(/^Bearer /, '');
  const [caller] = (await pool.query(KEY, [createHash('sha256').update(token).digest()])).rows;
  if (!caller) return response.status(401).json({ status: 401 });
  const values = [request.params.clientId, request.query.folderId];
  const breadcrumbs = (await pool.query(PATH, values)).rows;
  const [page, count, children] = await Promise.all([
    pool.query(PAGE, values),
    pool.query(COUNT, values),
    pool.query(CHILDREN, values),
  ]);
  response.json({
    folder: breadcrumbs.at(-1),
    breadcrumbs,
    folders: children.rows,
    assets: page.rows.slice(0, 50),
    nextCursor: page.rows[49]?.id ?? null,
    total: Number(count.rows[0].count),
  });
});
const server = app.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => {
  server.closeAllConnections();
  process.exit(0);
});
