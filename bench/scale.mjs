import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { callerOf, median, word } from './support/scale-requests.mjs';
import { seedScale } from './support/seed-scale.mjs';
import { withServers } from './support/servers.mjs';

/** 1 seeds a million assets; 0.1 is enough to see that everything runs. */
const FACTOR = Number(process.env.BENCH_FACTOR ?? 1);
const LOAD = 16;
/** For each request of a small client; they take milliseconds. */
const SAMPLES = 200;
const MAX_RATIO = 3;
const MAX_MS = 200;
const MAX_SLOWDOWN = 1.3;

export const title = `one client with ${1_000_000 * FACTOR} assets against one with ${10_000 * FACTOR}, one that keeps ${5_000 * FACTOR} beside ${300_000 * FACTOR} in its trash, and 100 small clients`;

export async function run() {
  return withServers(
    async ({ startService }) => {
      const service = await startService('scale');
      const began = Date.now();
      await seedScale(service.databaseUrl, FACTOR);
      console.log(`seeded in ${Math.round((Date.now() - began) / 1000)} s\n`);
      const { key } = await service.call('/admin/api-keys', {
        name: 'bench',
        role: 'operator',
        clientIds: null,
      });
      const caller = callerOf(service.url, key);

      const rows = [];
      for (const [request, pathOf] of await requests(caller)) {
        const medium = await median(() => caller.get(pathOf('medium')));
        const big = await median(() => caller.get(pathOf('big')));
        rows.push(row(request, medium, big, big <= Math.max(MAX_MS, medium * MAX_RATIO)));
      }
      for (const [request, pathOf] of await requests(caller)) {
        if (!isEverywhere(pathOf('emptied'))) continue;
        const medium = await median(() => caller.get(pathOf('medium')));
        const emptied = await median(() => caller.get(pathOf('emptied')));
        rows.push(row(`beside a full trash: ${request}`, medium, emptied, emptied <= MAX_MS));
      }
      rows.push(...(await besideLoad(caller)));
      rows.push(...(await trashAndRestore(caller)));
      const missed = rows.filter(({ mark }) => mark === 'missed').map(({ request }) => request);
      return {
        rows,
        conclusion: `median ms; mark: within ${MAX_RATIO} times or ${MAX_MS} ms, under load within ${MAX_SLOWDOWN} times. Missed: ${missed.join('; ') || 'none'}`,
      };
    },
    { shared_buffers: '1GB', synchronous_commit: 'off', max_wal_size: '4GB' },
  );
}

/** Every way to read a library. The path depends on the client. */
async function requests(caller) {
  const list = (parameters) => (client) => `/admin/clients/${client}/assets${parameters}`;
  const inFolder = (n, parameters) => (client) =>
    list(`?folderId=${folderOf(client, n)}&${parameters}`)(client);
  const sorts = ['newest', 'oldest', 'title', 'size'];
  const deep = {};
  for (const client of ['medium', 'big'])
    for (const sort of sorts)
      deep[`${client} ${sort}`] = await caller.deepCursor(
        inFolder(1, `sort=${sort}&limit=${Math.ceil(200 * FACTOR)}`)(client),
        10,
      );
  const filters = {
    'a common tag': 'tags=tag%201',
    'a rare tag': 'tags=tag%20200',
    'a common type': 'mimeType=image/jpeg',
    'a rare type': 'mimeType=video/mp4',
    'a surface': 'surface=gbp',
    'in use (few)': 'used=true',
    'not in use (most)': 'used=false',
    'in use, by title': 'used=true&sort=title',
    'two tags': 'tags=tag%201,tag%203',
    'rare tag, type, surface': 'tags=tag%20200&mimeType=image/png&surface=gbp',
  };
  const searches = {
    'a common word': word(1),
    jpg: 'jpg',
    img: 'img',
    'two common words': `${word(1)} ${word(2)}`,
    'one letter': 'e',
    'two letters': 'ra',
    'a middling word': word(150),
    'a rare word': word(15_000),
    'two words never together': `${word(3)} ${word(19_000)}`,
    'a file number': '0042',
    'a word nobody used': 'zzyzx',
    'a common CJK character': String.fromCodePoint(19_969),
    'a rare CJK character': String.fromCodePoint(19_968 + 2_500),
  };
  return [
    ...sorts.map((sort) => [`large folder by ${sort}`, inFolder(1, `sort=${sort}`)]),
    ...sorts.map((sort) => [
      `large folder by ${sort}, deep page`,
      (client) => inFolder(1, `sort=${sort}&cursor=${deep[`${client} ${sort}`]}`)(client),
    ]),
    ...sorts.map((sort) => [`everything by ${sort}`, list(`?below=true&sort=${sort}`)]),
    ...sorts.map((sort) => [`most folders by ${sort}`, inFolder(2, `below=true&sort=${sort}`)]),
    ...Object.entries(filters).map(([name, filter]) => [`large folder, ${name}`, inFolder(1, filter)]),
    ...Object.entries(filters).map(([name, filter]) => [
      `everything, ${name}`,
      list(`?below=true&${filter}`),
    ]),
    ...Object.entries(searches).map(([name, q]) => [`search ${name}`, list(`?q=${encodeURIComponent(q)}`)]),
    ...sorts.slice(1).map((sort) => [`search a common word by ${sort}`, list(`?q=${word(1)}&sort=${sort}`)]),
    ['search a common word in most folders', inFolder(2, `q=${word(1)}`)],
    ['search a rare word in most folders', inFolder(2, `q=${word(15_000)}`)],
    ['search a common word with a rare tag', list(`?q=${word(1)}&tags=tag%20200`)],
    ['top level', list('')],
    ['tags', list('/tags')],
    ['folder tree', list('/folders')],
    ['trash', list('/trash')],
    ['an asset', (client) => list(`/${uuidOf(md5(`${client}-1`))}`)(client)],
    ['audit', (client) => `/admin/clients/${client}/audit`],
  ];
}

/** Whether the whole library is read, including the index entries of assets in trashed folders. */
function isEverywhere(path) {
  return /[?&](q|below)=/.test(path) && !path.includes('folderId=');
}

/** Small clients alone, and while the big one continuously sends the most expensive searches. */
async function besideLoad(caller) {
  const small = (n) => `/admin/clients/small-${(n % 100) + 1}/assets`;
  const paths = {
    'small client, folder': (n) => `${small(n)}?folderId=${folderOf(`small-${(n % 100) + 1}`, 1)}`,
    'small client, search': (n) => `${small(n)}?q=${word(1)}`,
    'who am I': () => '/auth/me',
  };
  const measure = async (pathOf) => {
    let n = 0;
    return median(() => caller.get(pathOf(n++)), SAMPLES);
  };
  const alone = {};
  for (const [name, pathOf] of Object.entries(paths)) alone[name] = await measure(pathOf);

  const worst = [word(1), `${word(1)} ${word(2)}`, 'e', String.fromCodePoint(19_969)];
  const load = startLoad(
    caller,
    Array.from(
      { length: LOAD },
      (_, n) => `/admin/clients/big/assets?q=${encodeURIComponent(worst[n % worst.length])}`,
    ),
  );
  const rows = [];
  for (const [name, pathOf] of Object.entries(paths)) {
    const beside = await measure(pathOf);
    rows.push(
      row(
        `${name}: alone, beside ${LOAD} searches`,
        alone[name],
        beside,
        beside <= alone[name] * MAX_SLOWDOWN,
      ),
    );
  }
  console.log(`responses to the concurrent searches: ${JSON.stringify(await load.stop())}\n`);
  return rows;
}

/** In a separate thread, so that the measurement does not wait for other responses to be read. */
function startLoad({ url, key }, paths) {
  const worker = new Worker(new URL('./support/endless-requests.mjs', import.meta.url), {
    workerData: { url, key, paths },
  });
  const ended = once(worker, 'message');
  return {
    async stop() {
      worker.postMessage('stop');
      const [responses] = await ended;
      return responses;
    },
  };
}

async function trashAndRestore(caller) {
  const rows = [];
  const take = async (name, request) => {
    const began = performance.now();
    const { status, body } = await request();
    rows.push({
      request: `${name}: ${status}`,
      'medium ms': '',
      'big ms': rounded(performance.now() - began),
      ratio: '',
      mark: status < 300 ? 'met' : 'missed',
    });
    return body;
  };
  const base = '/admin/clients/big/assets';
  const folderId = folderOf('big', 1);
  await take('trash the large folder', () => caller.send('DELETE', `${base}/folders`, { folderId }));
  await take('search everywhere, the folder trashed', () => caller.get(`${base}?q=${word(1)}`));
  const { items = [] } = await take('list the trash', () => caller.get(`${base}/trash`));
  const batch = items.find((item) => item.folderId === folderId);
  if (batch)
    await take('restore it', () => caller.send('POST', `${base}/trash/restore`, { batchId: batch.batchId }));
  return rows;
}

function row(request, first, second, met) {
  return {
    request,
    'medium ms': rounded(first),
    'big ms': rounded(second),
    ratio: rounded(second / first),
    mark: met ? 'met' : 'missed',
  };
}

function folderOf(client, n) {
  return uuidOf(md5(`${client}/${n}`).replace(/^(.{12}).(.{3}).(.*)$/, '$14$28$3'));
}

function md5(text) {
  return createHash('md5').update(text).digest('hex');
}

function uuidOf(hex) {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function rounded(value) {
  return Math.round(value * 10) / 10;
}
