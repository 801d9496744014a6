import { contest, fire, speedOf } from './support/contest.mjs';
import { CLIENT, FOLDER, seedLibrary } from './support/seed-library.mjs';
import { withServers } from './support/servers.mjs';

const ASSETS = 10_000;
const CLIENTS = Number(process.env.BENCH_CLIENTS ?? 100);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);

export const title = `opening a folder of 1,000 assets, search, tags and tree, with ${ASSETS} assets of one client and with ${CLIENTS * ASSETS} of ${CLIENTS}`;

export async function run() {
  return withServers(
    async ({ startService }) => {
      const small = await startLibrary(startService, 'small', 1);
      const large = await startLibrary(startService, 'large', CLIENTS);
      const base = `/admin/clients/${CLIENT}/assets`;
      const first = `${base}?folderId=${FOLDER}`;
      const deep = `${first}&cursor=${await deepCursor(large, first)}`;
      const requests = [
        ['first page', first],
        ['deep page', deep],
        ['first page, top level', base],
        ['search, one word', `${base}?q=harvest`],
        ['search, rare word', `${base}?q=9973`],
        ['tags', `${base}/tags`],
        ['tree', `${base}/folders`],
      ];
      const rows = [];
      for (const [name, path] of requests) {
        for (const [size, { url, key }] of Object.entries({ small, large })) {
          const round = await fire(url + path, key, { connections: 4, seconds: SECONDS });
          rows.push({ request: `${name}, ${size}`, connections: 4, ...speedOf([round]) });
        }
      }
      const load = { connections: 16, seconds: SECONDS };
      const measured = await contest(
        [
          { request: 'first page, large', measure: () => fire(large.url + first, large.key, load) },
          { request: 'first page, small', measure: () => fire(small.url + first, small.key, load) },
        ],
        ROUNDS,
      );
      const [large16, small16] = measured.map(({ request, rounds }) => ({
        request,
        connections: load.connections,
        ...speedOf(rounds),
      }));
      rows.push(large16, small16);
      const growth = (small16['req/s'] / large16['req/s']).toFixed(2);
      return {
        rows,
        conclusion: `first page, small against large ${growth} (aim: at most 1.3)`,
      };
    },
    { shared_buffers: '1GB', synchronous_commit: 'off', max_wal_size: '4GB' },
  );
}

async function startLibrary(startService, name, clients) {
  const service = await startService(name);
  await seedLibrary(service.databaseUrl, clients, ASSETS);
  const { key } = await service.call('/admin/api-keys', { name: 'bench', role: 'viewer', clientIds: null });
  return { ...service, key };
}

/** The cursor of the second to last page of the folder. */
async function deepCursor({ url, key }, path) {
  let cursor;
  for (let page = 0; page < 4; page++) {
    const next = cursor ? `&cursor=${cursor}` : '';
    const response = await fetch(`${url}${path}&limit=200${next}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    cursor = (await response.json()).nextCursor;
  }
  return cursor;
}
