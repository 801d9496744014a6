import { contest, fire, rounded, speedOf } from './support/contest.mjs';
import { cpuMs, measured } from './support/process-use.mjs';
import { CLIENT, FOLDER, seedLibrary } from './support/seed-library.mjs';
import { POOL_SIZE, withServers } from './support/servers.mjs';

const ASSETS = 10_000;
const CLIENTS = Number(process.env.BENCH_CLIENTS ?? 10);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 4);
const LOAD = { connections: 16, seconds: Number(process.env.BENCH_SECONDS ?? 4) };
const MARK = 0.6;

export const title = `100 of the 1,000 assets of a folder, with ${CLIENTS * ASSETS} assets in all`;

export async function run() {
  return withServers(
    async ({ startService, startFloor }) => {
      const service = await startService('listing');
      await seedLibrary(service.databaseUrl, CLIENTS, ASSETS);
      const { key } = await service.call('/admin/api-keys', {
        name: 'bench',
        role: 'viewer',
        clientIds: null,
      });
      const floor = await startFloor('bare-listing', {
        DATABASE_URL: service.databaseUrl,
        DATABASE_POOL_SIZE: POOL_SIZE,
      });

      let peakMb = 0;
      const contender = (request, server, path) => ({
        request,
        measure: async () => {
          const { pid } = server.process;
          const cpuBefore = cpuMs(pid);
          const use = await measured(pid, () => fire(server.url + path, key, LOAD));
          if (server === service) peakMb = Math.max(peakMb, use.peakMb);
          return { ...use.result, cpu: (cpuMs(pid) - cpuBefore) / use.result.requests.total };
        },
      });
      const page = `/admin/clients/${CLIENT}/assets?folderId=${FOLDER}&limit=100`;
      const results = await contest(
        [
          contender('ours', service, page),
          contender('Express and pg, one query, no authentication', floor, `/columns/${CLIENT}/${FOLDER}`),
          contender('JSON built in Postgres, no authentication', floor, `/json/${CLIENT}/${FOLDER}`),
        ],
        ROUNDS,
      );
      const rows = results.map(({ request, rounds }) => ({
        request,
        ...speedOf(rounds),
        'CPU ms per request': rounded(Math.min(...rounds.map(({ cpu }) => cpu))),
      }));
      const [ours, columns, json] = rows.map((row) => row['req/s']);
      const ratio = ours / columns;
      return {
        rows,
        conclusion: `${ratio.toFixed(2)} of Express and pg (mark: at least ${MARK}), ${(ours / json).toFixed(2)} of JSON built in Postgres; ${LOAD.connections} connections`,
        marks: [
          {
            row: 'L',
            workload: `list 100 of 1,000 assets, ${LOAD.connections} connections`,
            ours: `${ours} req/s`,
            floor: `${columns} req/s Express and pg, one query`,
            ratio,
            mark: `at least ${MARK}`,
            met: ratio >= MARK,
            'peak MB': peakMb,
          },
        ],
      };
    },
    { shared_buffers: '512MB', synchronous_commit: 'off', max_wal_size: '4GB' },
  );
}
