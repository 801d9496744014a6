import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'undici';
import { median, rounded } from './support/contest.mjs';
import { smallPhotographs } from './support/photograph.mjs';
import { measured } from './support/process-use.mjs';
import { sql, STORE, withServers } from './support/servers.mjs';
import { inParallel, uploaderOf } from './support/transfers.mjs';

export const title =
  'deliveries of 200 KB pictures to a site that does nothing, against bare form uploads with undici';

const FILES = Number(process.env.BENCH_FILES ?? 200);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** A target receives one delivery at a time. */
const TARGETS = 8;
const TIMEOUT_MS = 300_000;

export async function run() {
  const jpegs = await smallPhotographs();
  const { first, again, floors } = await withServers(async ({ startService, startFloor }) => {
    const service = await startService('deliveries', { WORKER: 'inline', TARGETS_ALLOW_PRIVATE: 'true' });
    const site = await startFloor('media-library', {});
    const { assets, upload } = await uploaderOf(service);
    const refs = await inParallel(FILES, 4, async (index) => {
      const jpeg = jpegs[index % jpegs.length];
      return (await upload(`picture ${index}.jpg`, 'image/jpeg', jpeg.length, [jpeg])).assetRef;
    });
    const client = assets.replace(/\/assets$/, '');
    const sent = await deliverAll(service, client, site, refs, 0);
    const [first, again, floors] = [sent, [], []];
    for (let round = 1; round <= ROUNDS; round++) {
      floors.push(await uploadForms(site.url, jpegs));
      again.push(await deliverAll(service, client, site, refs, round));
    }
    return { first, again, floors };
  });
  const best = again.toSorted((a, b) => a.seconds - b.seconds)[again.length >> 1];
  const floorSeconds = median(floors);
  return {
    rows: [
      row('delivered to a first site, each picture made for it', first),
      row('delivered to further sites', best),
      {
        what: 'form uploads with undici alone',
        'per s': rounded(FILES / floorSeconds),
        seconds: rounded(floorSeconds),
        'CPU %': '',
        'peak MB': '',
        'children MB': '',
      },
    ],
    conclusion:
      `ratio ${(floorSeconds / best.seconds).toFixed(2)}; ${FILES} pictures, ${TARGETS} targets in parallel, medians of ${ROUNDS} rounds, on ${STORE}; ` +
      'a delivery is created by a request, checked, read from the store, sent and recorded with its usage',
  };
}

/** From the first request to the last delivery, over this many targets in parallel. */
async function deliverAll(service, client, site, refs, round) {
  const targets = [];
  for (let index = 0; index < TARGETS; index++) {
    const { targetId } = await service.call(`${client}/targets`, {
      kind: 'wordpress',
      name: `Site ${round}-${index}`,
      baseUrl: site.url,
      username: 'bench',
      applicationPassword: 'bench bench bench',
    });
    targets.push(targetId);
  }
  return measured(service.process.pid, async () => {
    await inParallel(refs.length, 4, (index) =>
      service.call(`${client}/deliveries`, {
        assetRef: refs[index],
        targetId: targets[index % targets.length],
        surface: 'website',
      }),
    );
    for (const end = Date.now() + TIMEOUT_MS; ; await delay(50)) {
      const counts = await sql(
        service.databaseUrl,
        'SELECT status, count(*)::int AS count FROM deliveries WHERE target_id = ANY($1::uuid[]) GROUP BY status',
        [targets],
      );
      const count = (status) => counts.find((each) => each.status === status)?.count ?? 0;
      if (count('delivered') === refs.length) return;
      if (count('failed') > 0 || Date.now() > end)
        throw new Error(`Not delivered: ${JSON.stringify(counts)}`);
    }
  });
}

/** The minimum for such an upload: a new connection, a form, and reading the response. */
async function uploadForms(url, jpegs) {
  const startedAt = performance.now();
  await inParallel(FILES, TARGETS, async (index) => {
    const boundary = randomBytes(24).toString('hex');
    const field = (name, value) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
    const body = Buffer.concat([
      Buffer.from(field('slug', `floor-${index}`) + field('title', 'A title') + file),
      jpegs[index % jpegs.length],
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    const client = new Client(url);
    const response = await client.request({
      path: '/wp-json/wp/v2/media',
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body,
      reset: true,
    });
    await response.body.json();
    await client.close();
  });
  return (performance.now() - startedAt) / 1000;
}

function row(what, { seconds, cpuShare, peakMb, peakChildrenMb }) {
  return {
    what,
    'per s': rounded(FILES / seconds),
    seconds: rounded(seconds),
    'CPU %': Math.round(cpuShare * 100),
    'peak MB': peakMb,
    'children MB': peakChildrenMb,
  };
}
