import autocannon from 'autocannon';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { median, seedLibrary, withLibrary } from './support/library-servers.mjs';

const ASSETS = 10_000;
const CLIENTS = Number(process.env.BENCH_CLIENTS ?? 100);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const CLIENT = 'seeded-1';
const FOLDER = uuidOf(createHash('md5').update(`${CLIENT}/1`).digest('hex'));

export const title = `opening a folder of 1,000 assets, search, tags and tree, with ${ASSETS} assets of one client and with ${CLIENTS * ASSETS} of ${CLIENTS}`;

export async function run() {
  return withLibrary(async ({ start, startService }) => {
    const small = await startService('small');
    await seedLibrary(small.databaseUrl, 1, ASSETS);
    const large = await startService('large');
    await seedLibrary(large.databaseUrl, CLIENTS, ASSETS);
    const floor = await start(join(import.meta.dirname, 'floors/bare-listing.mjs'), {
      DATABASE_URL: large.databaseUrl,
      DATABASE_POOL_SIZE: '10',
    });

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
      for (const [size, service] of [
        ['small', small],
        ['large', large],
      ]) {
        rows.push(row(`${name}, ${size}`, 4, [await fire(service.url, path, service.key, 4, SECONDS)]));
      }
    }
    const contest = [
      ['first page, large', large.url],
      ['bare express', floor.url],
      ['first page, small', small.url],
    ].map(([name, url]) => ({ name, url, key: url === small.url ? small.key : large.key, rounds: [] }));
    for (const { url, key } of contest) await fire(url, first, key, 16, 2);
    // Alternating, so that what else the machine does meets all alike.
    for (let round = 0; round < ROUNDS; round++)
      for (const each of contest) each.rounds.push(await fire(each.url, first, each.key, 16, SECONDS));
    rows.push(...contest.map(({ name, rounds }) => row(name, 16, rounds)));

    const [ours, bare, little] = contest.map(({ rounds }) =>
      median(rounds.map(({ requests }) => requests.average)),
    );
    const ratio = (ours / bare).toFixed(2);
    const growth = (little / ours).toFixed(2);
    return {
      rows,
      conclusion: `against bare Express ${ratio} (aim: at least 0.5); small against large ${growth} (aim: at most 1.3)`,
    };
  });
}

/** The cursor of the last page but one of the folder. */
async function deepCursor({ url, key }, path) {
  let cursor;
  for (let page = 0; page < 4; page++) {
    const next = cursor ? `&cursor=${cursor}` : '';
    const answer = await fetch(`${url}${path}&limit=200${next}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    cursor = (await answer.json()).nextCursor;
  }
  return cursor;
}

async function fire(url, path, key, connections, duration) {
  const result = await autocannon({
    url: url + path,
    connections,
    duration,
    headers: { authorization: `Bearer ${key}` },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} answers other than 2xx, ${result.errors} errors.`);
  return result;
}

function row(request, connections, rounds) {
  const middle = (pick) => Math.round(median(rounds.map(pick)) * 10) / 10;
  return {
    request,
    connections,
    'req/s': middle(({ requests }) => requests.average),
    'p50 ms': middle(({ latency }) => latency.p50),
    'p99 ms': middle(({ latency }) => latency.p99),
  };
}

function uuidOf(hex) {
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
