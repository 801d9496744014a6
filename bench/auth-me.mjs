import { contest, fire, speedOf, verdict } from './support/contest.mjs';
import { POOL_SIZE, SECRET, withServers } from './support/servers.mjs';

export const title =
  'GET /auth/me with an access token, against bare Express and pg doing the same check and the same query';

const AIM = 0.6;
const ROUNDS = 4;
const LOAD = { connections: 16, seconds: 4 };

export async function run() {
  return withServers(async ({ startService, startFloor }) => {
    const { url, databaseUrl, accessToken } = await startService('auth_me');
    const floor = await startFloor('bare-express', {
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: POOL_SIZE,
      AUTH_JWT_SECRET: SECRET,
    });
    const measured = await contest(
      [
        { server: 'service', measure: () => fire(`${url}/auth/me`, accessToken, LOAD) },
        { server: 'bare express', measure: () => fire(`${floor.url}/auth/me`, accessToken, LOAD) },
      ],
      ROUNDS,
    );
    const rows = measured.map(({ server, rounds }) => ({ server, ...speedOf(rounds) }));
    const ratio = rows[0]['req/s'] / rows[1]['req/s'];
    return {
      rows,
      conclusion: `${verdict(ratio, AIM)}; medians of ${ROUNDS} rounds of ${LOAD.seconds} s`,
    };
  });
}
