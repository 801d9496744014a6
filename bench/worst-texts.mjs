import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { callerOf } from './support/scale-requests.mjs';
import { sql, withServers } from './support/servers.mjs';

const ASSETS = 500;
const MAX_MS = 100;
/** It stands for 18 letters. */
const LIGATURE = '\uFDFA';
const WORDS = Array.from({ length: 10 }, (_, n) => `word${n}`).join(' ');
/** Every ranked asset must contain all words. */
const TEXT = `${WORDS} ${LIGATURE.repeat(1900)}`;
const TAGS = Array.from({ length: 49 }, (_, n) => `${LIGATURE.repeat(62)}${n}`);

export const title = `what another client's requests wait during a pick and bulk changes of ${ASSETS} assets with the worst texts allowed`;

/** Their searchable text is written by the first change of tags. */
const SEED = `
  WITH given AS (SELECT gen_random_uuid() AS id, gen_random_uuid() AS session_id, n FROM generate_series(1, ${ASSETS}) n),
  sessions AS (
    INSERT INTO upload_sessions (id, client_id, token_hash, status, asset_id, attempt, original_filename, mime_type, expected_size_bytes,
        url_expires_at, expires_at)
      SELECT session_id, 'worst', sha256(session_id::text::bytea), 'finalized', id, id, 'file', 'image/jpeg', 1000, now(), now() FROM given)
  INSERT INTO assets (id, client_id, session_id, attempt, title, description, alt_text, tags, allowed_surfaces, original_filename, mime_type, size_bytes, sha256,
      width, height, fitness, search_text)
    SELECT id, 'worst', session_id, id, $1, $2, $2, $3, '{}', 'file.jpg', 'image/jpeg', 1000, md5(id::text), 4032, 3024, '{"website": {"verdict": "ready", "channels": {}}}', $4 FROM given
    RETURNING id`;

export async function run() {
  return withServers(async ({ startService }) => {
    const service = await startService('worst');
    for (const clientId of ['worst', 'other'])
      await service.call('/admin/clients', { clientId, name: clientId });
    const { folderId } = await service.call('/admin/clients/worst/assets/folders', { name: 'Target' });
    const rows = await sql(service.databaseUrl, SEED, [LIGATURE.repeat(200), TEXT, TAGS, WORDS]);
    const assetIds = rows.map(({ id }) => id);
    const { key } = await service.call('/admin/api-keys', {
      name: 'bench',
      role: 'operator',
      clientIds: null,
    });
    const caller = callerOf(service.url, key);
    const bulk = (body) => caller.send('POST', '/admin/clients/worst/assets/bulk', { assetIds, ...body });
    const pick = () =>
      caller.send('POST', '/agents/clients/worst/assets/pick', {
        surface: 'website',
        text: WORDS,
        count: 20,
      });
    const requests = {
      'bulk: add a tag': () => bulk({ action: 'addTags', tags: ['new'] }),
      'bulk: move': () => bulk({ action: 'move', folderId }),
      'bulk: set surfaces': () => bulk({ action: 'setSurfaces', allowedSurfaces: ['website'] }),
      'pick with ten words': pick,
      'bulk: trash': () => bulk({ action: 'trash' }),
    };
    const other = () => caller.get('/admin/clients/other/assets');
    for (let n = 0; n < 20; n++) await other();
    const results = [await meanwhile('nothing, for comparison', nothing, other)];
    for (const [request, send] of Object.entries(requests))
      results.push(await meanwhile(request, send, other));
    const missed = results.filter(({ mark }) => mark === 'missed').map(({ request }) => request);
    return {
      rows: results,
      conclusion: `mark: the longest wait is below ${MAX_MS} ms. Missed: ${missed.join('; ') || 'none'}`,
    };
  });
}

/** What the machine itself makes requests wait. */
const nothing = () => delay(2_000, { status: 200 });

async function meanwhile(request, send, other) {
  let isRunning = true;
  const began = performance.now();
  const sent = send().finally(() => (isRunning = false));
  const waits = [];
  while (isRunning) {
    const at = performance.now();
    await other();
    waits.push(performance.now() - at);
  }
  const { status, body } = await sent;
  const took = performance.now() - began;
  if (status !== 200) throw new Error(`${request} returned ${status}: ${JSON.stringify(body)}`);
  const longest = Math.max(...waits);
  return {
    request,
    'took ms': Math.round(took),
    'other requests': waits.length,
    'longest wait ms': Math.round(longest),
    mark: longest < MAX_MS ? 'met' : 'missed',
  };
}
