import { toAssetRef } from '../dist/src/common/asset-ref.js';
import { contest, fire, rounded, speedOf } from './support/contest.mjs';
import { cpuMs, measured } from './support/process-use.mjs';
import { CLIENT, seedLibrary } from './support/seed-library.mjs';
import { POOL_SIZE, sql, withServers } from './support/servers.mjs';

const ASSETS = 10_000;
const CLIENTS = Number(process.env.BENCH_CLIENTS ?? 10);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 4);
const LOAD = { connections: 16, seconds: Number(process.env.BENCH_SECONDS ?? 4) };
const REFS = 100;
const MARK = 0.5;

export const title = `resolving ${REFS} refs, with ${CLIENTS * ASSETS} assets in all`;

export async function run() {
  return withServers(
    async ({ startService, startFloor }) => {
      const service = await startService('agents');
      await seedLibrary(service.databaseUrl, CLIENTS, ASSETS);
      const found = await sql(
        service.databaseUrl,
        'SELECT id FROM assets WHERE client_id = $1 ORDER BY md5(id::text) LIMIT $2',
        [CLIENT, REFS],
      );
      const assetIds = found.map(({ id }) => id);
      const { key } = await service.call('/admin/api-keys', {
        name: 'bench',
        role: 'agent',
        clientIds: [CLIENT],
      });
      const floor = await startFloor('bare-resolve', {
        DATABASE_URL: service.databaseUrl,
        DATABASE_POOL_SIZE: POOL_SIZE,
      });

      let peakMb = 0;
      const contender = (request, server, path, body) => ({
        request,
        measure: async () => {
          const { pid } = server.process;
          const load = {
            ...LOAD,
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          };
          const cpuBefore = cpuMs(pid);
          const use = await measured(pid, () => fire(server.url + path, key, load));
          if (server === service) peakMb = Math.max(peakMb, use.peakMb);
          return { ...use.result, cpu: (cpuMs(pid) - cpuBefore) / use.result.requests.total };
        },
      });
      const asked = { assetRefs: assetIds.map(toAssetRef), surface: 'website' };
      const results = await contest(
        [
          contender('ours', service, `/agents/clients/${CLIENT}/assets/resolve`, asked),
          contender('the same query, Express and pg', floor, `/records/${CLIENT}`, { assetIds }),
          contender('the same assets as columns, Express and pg', floor, `/columns/${CLIENT}`, { assetIds }),
        ],
        ROUNDS,
      );
      const rows = results.map(({ request, rounds }) => ({
        request,
        ...speedOf(rounds),
        'CPU ms per request': rounded(Math.min(...rounds.map(({ cpu }) => cpu))),
      }));
      const [ours, records, columns] = rows.map((row) => row['req/s']);
      const ratio = ours / records;
      return {
        rows,
        conclusion: `${ratio.toFixed(2)} of the same query (mark: at least ${MARK}), ${(ours / columns).toFixed(2)} of columns; ${LOAD.connections} connections`,
        marks: [
          {
            row: 'A',
            workload: `resolve ${REFS} refs, ${LOAD.connections} connections`,
            ours: `${ours} req/s`,
            floor: `${records} req/s the same query, Express and pg`,
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
