import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { contest, median, rounded, verdict } from './support/contest.mjs';
import { filmOf } from './support/film.mjs';
import { measured } from './support/process-use.mjs';
import { withServers } from './support/servers.mjs';
import { inParallel, takeAll, uploaderOf } from './support/transfers.mjs';

const MB = 1024 * 1024;
const FILM_MB = 512;
const PART_MB = 8;
const PARTS = 384;
const AT_ONCE = 4;
const ROUNDS = 4;
const AIM = 0.8;

export const title = `parts of ${PART_MB} MB from all over a film of ${FILM_MB} MB, against a bare Node server passing on what the same store sends`;

export async function run() {
  return withServers(async ({ s3, bucket, startService, startFloor }) => {
    const service = await startService('ranges');
    const { assets, upload } = await uploaderOf(service);
    const film = await filmOf(FILM_MB * MB);
    const { assetId } = await upload('film.mp4', 'video/mp4', FILM_MB * MB, film.chunks());
    const floor = await startFloor('bare-range', { FILM_URL: await addressOfFilm(s3, bucket) });

    const take = (url, { pid }) =>
      measured(pid, () => inParallel(PARTS, AT_ONCE, (index) => takePart(url, service.accessToken, index)));
    const contenders = await contest(
      [
        {
          server: 'service',
          measure: () => take(`${service.url}${assets}/${assetId}/preview`, service.process),
        },
        { server: 'bare node', measure: () => take(floor.url, floor.process) },
      ],
      ROUNDS,
    );
    const rows = contenders.map(({ server, rounds }) => ({
      server,
      'MB/s': rounded(median(rounds.map(({ seconds }) => (PARTS * PART_MB) / seconds))),
      'peak RSS MB': Math.max(...rounds.map(({ peakMb }) => peakMb)),
    }));
    const ratio = rows[0]['MB/s'] / rows[1]['MB/s'];
    return {
      rows,
      conclusion: `${verdict(ratio, AIM)}; ${PARTS} parts, ${AT_ONCE} at a time, medians of ${ROUNDS} rounds`,
    };
  });
}

/** Forwards and backwards, as people do who look for a scene. */
async function takePart(url, token, index) {
  const start = (((index * 37) % (FILM_MB / PART_MB)) * PART_MB * MB) | 0;
  const range = `bytes=${start}-${start + PART_MB * MB - 1}`;
  const bytes = await takeAll(url, token, { range });
  if (bytes !== PART_MB * MB) throw new Error(`${range} had ${bytes} bytes.`);
}

async function addressOfFilm(s3, bucket) {
  const { Contents } = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'clients/' }));
  const [{ Key }] = Contents.filter(({ Size }) => Size === FILM_MB * MB);
  return getSignedUrl(s3, new GetObjectCommand({ Bucket: bucket, Key }), { expiresIn: 3_600 });
}
