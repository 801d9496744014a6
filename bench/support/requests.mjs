import { contest, fire, speedOf } from './contest.mjs';
import { measured } from './process-use.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 4);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);

/** Requests per second of each server, measured in turn. The first is the service, the second its floor; others are for comparison. */
export async function requestContest(servers, token, connections) {
  const load = { connections, seconds: SECONDS };
  const contenders = await contest(
    servers.map(({ server, url, process: { pid } }) => ({
      server,
      measure: async () => {
        const { result, peakMb } = await measured(pid, () => fire(url, token, load));
        return { ...result, peakMb };
      },
    })),
    ROUNDS,
  );
  const rows = contenders.map(({ server, rounds }) => ({
    server,
    ...speedOf(rounds),
    'peak RSS MB': Math.max(...rounds.map(({ peakMb }) => peakMb)),
  }));
  return { rows, how: `${connections} connections, medians of ${ROUNDS} rounds of ${SECONDS} s` };
}

/** The row for the table at the end of `npm run bench`. */
export function requestMark(row, workload, [service, floor], atLeast) {
  const ratio = service['req/s'] / floor['req/s'];
  return {
    row,
    workload,
    ours: `${Math.round(service['req/s'])}/s`,
    floor: `${Math.round(floor['req/s'])}/s ${floor.server}`,
    ratio: Math.round(ratio * 100) / 100,
    mark: `at least ${atLeast}`,
    met: ratio >= atLeast,
    'peak MB': service['peak RSS MB'],
    'children MB': 0,
  };
}
