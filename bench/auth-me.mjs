import autocannon from 'autocannon';
import { join } from 'node:path';
import { OWNER, SECRET, SERVICE, withServers } from './support/servers.mjs';

export const title =
  'GET /auth/me with an access token, against bare Express and pg doing the same check and the same query';

const AIM = 0.6;
const CONNECTIONS = 16;
const ROUNDS = 4;
const SECONDS = 4;
const POOL_SIZE = '10';

export async function run() {
  return withServers(async ({ start }) => {
    const shared = { AUTH_JWT_SECRET: SECRET, DATABASE_POOL_SIZE: POOL_SIZE };
    const ours = await start(SERVICE, {
      ...shared,
      SECRETS_KEY: SECRET,
      ADMIN_EMAIL: OWNER.email,
      ADMIN_PASSWORD: OWNER.password,
      WORKER: 'off',
    });
    const floor = await start(join(import.meta.dirname, 'floors/bare-express.mjs'), shared);
    const token = await signIn(ours);

    const servers = [
      { name: 'service', url: ours, rounds: [] },
      { name: 'bare express', url: floor, rounds: [] },
    ];
    for (const { url } of servers) await fire(url, token, 2);
    // Alternating, so that what else the machine does meets both alike.
    for (let round = 0; round < ROUNDS; round++) {
      for (const server of servers) server.rounds.push(await fire(server.url, token, SECONDS));
    }
    const rows = servers.map(({ name, rounds }) => ({
      server: name,
      'req/s': median(rounds.map(({ requests }) => requests.average)),
      'p50 ms': median(rounds.map(({ latency }) => latency.p50)),
      'p99 ms': median(rounds.map(({ latency }) => latency.p99)),
    }));
    const ratio = rows[0]['req/s'] / rows[1]['req/s'];
    const verdict = ratio >= AIM ? 'reached' : 'missed';
    return {
      rows,
      conclusion: `ratio ${ratio.toFixed(2)} (aim: at least ${AIM}, ${verdict}); medians of ${ROUNDS} rounds of ${SECONDS} s`,
    };
  });
}

async function signIn(url) {
  const answer = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(OWNER),
  });
  return (await answer.json()).accessToken;
}

async function fire(url, token, duration) {
  const result = await autocannon({
    url: `${url}/auth/me`,
    connections: CONNECTIONS,
    duration,
    headers: { authorization: `Bearer ${token}` },
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} answers other than 2xx, ${result.errors} errors.`);
  }
  return result;
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return (
    Math.round((sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2) * 10) / 10
  );
}
