import { callerOf, median, word } from './support/scale-requests.mjs';
import { seedScale } from './support/seed-scale.mjs';
import { sql, withServers } from './support/servers.mjs';

/** 1 seeds a million assets; 0.1 is enough to see that everything runs. */
const FACTOR = Number(process.env.BENCH_FACTOR ?? 1);
const MAX_RATIO = 3;
const MAX_MS = 200;

export const title = `pick from a client with ${1_000_000 * FACTOR} assets, from one with ${10_000 * FACTOR}, and from one that keeps ${5_000 * FACTOR} beside ${300_000 * FACTOR} in its trash`;

/** Every third asset was used; of the big client, all of the newest 50,000. */
const USE = `
  INSERT INTO usages (id, client_id, asset_id, kind, external_id, surface, role, used_at, created_by)
    SELECT gen_random_uuid(), client_id, id, 'seo_post', 'post', 'website', 'attached', now() - n % 500 * interval '1 day', 'bench'
      FROM (SELECT id, client_id, row_number() OVER (PARTITION BY client_id ORDER BY created_at DESC) AS n
              FROM assets WHERE client_id IN ('big', 'medium', 'emptied')) AS ranked
     WHERE n % 3 = 0 OR (client_id = 'big' AND n <= 50000 * ${FACTOR})`;

const REQUESTS = {
  anything: {},
  'a common word': { text: word(1) },
  'a middling word': { text: word(150) },
  'a rare word': { text: word(15_000) },
  'two common words': { text: `${word(1)} ${word(2)}` },
  'two words never together': { text: `${word(3)} ${word(19_000)}` },
  'ten words': { text: Array.from({ length: 10 }, (_, n) => word(n * 40 + 1)).join(' ') },
  'a word nobody used': { text: 'zzyzx' },
  'one letter': { text: 'e' },
  'a common tag': { tags: ['tag 1'] },
  'a rare tag': { tags: ['tag 200'] },
  'a common word, a rare tag': { text: word(1), tags: ['tag 200'] },
  'a rare type': { mimeTypes: ['video/mp4'] },
  'never used': { unusedOnly: true },
  'never used, a common word': { text: word(1), unusedOnly: true },
  'never used, a rare tag': { tags: ['tag 200'], unusedOnly: true },
  'not used for a year': { notUsedSince: new Date(Date.now() - 365 * 86_400_000).toISOString() },
  'landscape, 20 of them': { orientation: 'landscape', count: 20 },
  'portrait, of which there are none': { orientation: 'portrait' },
};

export async function run() {
  return withServers(
    async ({ startService }) => {
      const service = await startService('pick');
      const began = Date.now();
      await seedScale(service.databaseUrl, FACTOR);
      await sql(service.databaseUrl, USE);
      await sql(service.databaseUrl, 'VACUUM ANALYZE usages');
      console.log(`seeded in ${Math.round((Date.now() - began) / 1000)} s\n`);
      const { key } = await service.call('/admin/api-keys', {
        name: 'bench',
        role: 'agent',
        clientIds: null,
      });
      const caller = callerOf(service.url, key);

      const rows = [];
      for (const [request, body] of Object.entries(REQUESTS)) {
        const times = {};
        for (const client of ['medium', 'big', 'emptied'])
          times[client] = await median(() =>
            caller.send('POST', `/agents/clients/${client}/assets/pick`, { surface: 'website', ...body }),
          );
        const limit = Math.max(MAX_MS, times.medium * MAX_RATIO);
        rows.push({
          request,
          ...Object.fromEntries(
            Object.entries(times).map(([client, ms]) => [`${client} ms`, Math.round(ms * 10) / 10]),
          ),
          mark: Math.max(times.big, times.emptied) <= limit ? 'met' : 'missed',
        });
      }
      const missed = rows.filter(({ mark }) => mark === 'missed').map(({ request }) => request);
      return {
        rows,
        conclusion: `median ms; mark: within ${MAX_RATIO} times the medium client or ${MAX_MS} ms. Missed: ${missed.join('; ') || 'none'}`,
      };
    },
    { shared_buffers: '1GB', synchronous_commit: 'off', max_wal_size: '4GB' },
  );
}
