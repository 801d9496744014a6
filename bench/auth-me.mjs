import { verdict } from './support/contest.mjs';
import { requestContest, requestMark } from './support/requests.mjs';
import { POOL_SIZE, SECRET, withServers } from './support/servers.mjs';

export const title = 'GET /auth/me with an access token, against an Express app that does nothing';

const AIM = 0.5;
const CONNECTIONS = 16;

export async function run() {
  return withServers(async ({ startService, startFloor }) => {
    const service = await startService('auth_me');
    const { accessToken, databaseUrl } = service;
    const noop = await startFloor('noop-express', {});
    const bare = await startFloor('bare-express', {
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: POOL_SIZE,
      AUTH_JWT_SECRET: SECRET,
    });
    const { rows, how } = await requestContest(
      [
        { server: 'service', url: `${service.url}/auth/me`, process: service.process },
        { server: 'no-op express', url: noop.url, process: noop.process },
        { server: 'express, token and query', url: `${bare.url}/auth/me`, process: bare.process },
      ],
      accessToken,
      CONNECTIONS,
    );
    const mark = requestMark('M', `GET /auth/me, ${CONNECTIONS} connections`, rows, AIM);
    return { rows, conclusion: `${verdict(mark.ratio, AIM)}; ${how}`, marks: [mark] };
  });
}
