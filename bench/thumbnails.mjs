import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contest, fire, speedOf, verdict } from './support/contest.mjs';
import { photograph } from './support/photograph.mjs';
import { POOL_SIZE, SECRET, withServers } from './support/servers.mjs';
import { uploaderOf } from './support/transfers.mjs';

export const title =
  'a thumbnail that is at hand, against a bare Node server sending the same bytes after the same token check';

const AIM = 0.5;
const ROUNDS = 4;
const LOAD = { connections: 32, seconds: 4 };

export async function run() {
  return withServers(async ({ directory, startService, startFloor }) => {
    const service = await startService('thumbnails');
    const { accessToken, databaseUrl } = service;
    const { assets, upload } = await uploaderOf(service);
    const picture = await photograph(1600, 1200).toBuffer();
    const { assetId } = await upload('photograph.jpg', 'image/jpeg', picture.length, [picture]);
    const url = `${service.url}${assets}/${assetId}/preview?size=thumb`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${accessToken}` } });
    const thumbnail = Buffer.from(await answer.arrayBuffer());
    const file = join(directory, 'thumbnail.webp');
    writeFileSync(file, thumbnail);
    const floor = await startFloor('bare-thumbnail', {
      THUMBNAIL: file,
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: POOL_SIZE,
      AUTH_JWT_SECRET: SECRET,
    });

    const contenders = await contest(
      [
        { server: 'service', measure: () => fire(url, accessToken, LOAD) },
        { server: 'bare node', measure: () => fire(floor.url, accessToken, LOAD) },
      ],
      ROUNDS,
    );
    const rows = contenders.map(({ server, rounds }) => ({ server, ...speedOf(rounds) }));
    const ratio = rows[0]['req/s'] / rows[1]['req/s'];
    return {
      rows,
      conclusion: `${verdict(ratio, AIM)}; ${thumbnail.length} bytes each, ${LOAD.connections} connections, medians of ${ROUNDS} rounds of ${LOAD.seconds} s`,
    };
  });
}
