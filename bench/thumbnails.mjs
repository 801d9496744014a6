import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verdict } from './support/contest.mjs';
import { photograph } from './support/photograph.mjs';
import { requestContest, requestMark } from './support/requests.mjs';
import { POOL_SIZE, SECRET, withServers } from './support/servers.mjs';
import { uploaderOf } from './support/transfers.mjs';

export const title = 'a cached `small` preview, against an Express app that does nothing';

const AIM = 0.35;
const CONNECTIONS = 32;

export async function run() {
  return withServers(async ({ directory, startService, startFloor }) => {
    const service = await startService('thumbnails');
    const { accessToken, databaseUrl } = service;
    const { assets, upload } = await uploaderOf(service);
    const picture = await photograph(1600, 1200).toBuffer();
    const { assetId } = await upload('photograph.jpg', 'image/jpeg', picture.length, [picture]);
    const url = `${service.url}${assets}/${assetId}/preview?size=small`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${accessToken}` } });
    const preview = Buffer.from(await response.arrayBuffer());
    const file = join(directory, 'small.webp');
    writeFileSync(file, preview);
    const noop = await startFloor('noop-express', {});
    const bare = await startFloor('bare-thumbnail', {
      THUMBNAIL: file,
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: POOL_SIZE,
      AUTH_JWT_SECRET: SECRET,
    });
    const { rows, how } = await requestContest(
      [
        { server: 'service', url, process: service.process },
        { server: 'no-op express', url: noop.url, process: noop.process },
        { server: 'node, token, query and bytes', url: bare.url, process: bare.process },
      ],
      accessToken,
      CONNECTIONS,
    );
    const mark = requestMark('P', `cached small preview, ${CONNECTIONS} connections`, rows, AIM);
    return {
      rows,
      conclusion: `${verdict(mark.ratio, AIM)}; ${preview.length} bytes each, ${how}`,
      marks: [mark],
    };
  });
}
