import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { query, type RunningService, storeClient } from '../services/service.js';

/** Limits count attempts, and a key records its last use: neither is a change that a caller requested. */
const IGNORED_TABLES = ['rate_limits'];
const IGNORED_COLUMNS = ['last_used_at'];

/** A fingerprint of everything a service stores: each table, the waiting jobs, each object. Two are equal if nothing has changed. */
export async function stateOf(service: RunningService): Promise<Record<string, unknown>> {
  const tables = await query<{ name: string }>(
    service.databaseUrl,
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL($1) ORDER BY 1`,
    [IGNORED_TABLES],
  );
  const state: Record<string, unknown> = {};
  const sources = [...tables.map(({ name }) => `public.${name}`), 'graphile_worker.jobs'];
  for (const table of sources) {
    const [row] = await query(
      service.databaseUrl,
      `SELECT count(*)::int AS rows, md5(coalesce(string_agg(text, ',' ORDER BY text), '')) AS sum
         FROM (SELECT (to_jsonb(t) - $1::text[])::text AS text FROM ${table} t) rows`,
      [IGNORED_COLUMNS],
    );
    state[table] = row;
  }
  const store = storeClient();
  const objects = await store.send(new ListObjectsV2Command({ Bucket: service.bucket }));
  store.destroy();
  state['objects'] = (objects.Contents ?? []).map(({ Key, ETag, Size }) => `${Key} ${ETag} ${Size}`);
  return state;
}
