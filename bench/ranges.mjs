import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { contest, median, rounded, verdict } from './support/contest.mjs';
import { filmOf } from './support/film.mjs';
import { measured } from './support/process-use.mjs';
import { withServers } from './support/servers.mjs';
import { inParallel, takeAll, uploaderOf } from './support/transfers.mjs';

const MB = 1024 * 1024;
const FILM_MB = Number(process.env.BENCH_FILM_MB ?? 500);
const PART_MB = 5;
const PARTS = FILM_MB / PART_MB;
const AT_ONCE = 4;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 4);
const AIM = 0.9;

export const title = `a video of ${FILM_MB} MB by range, whole and in parts of ${PART_MB} MB, against a bare Node server that forwards what the same store sends`;

export async function run() {
  return withServers(async ({ s3, bucket, startService, startFloor }) => {
    const service = await startService('ranges');
    const { assets, upload } = await uploaderOf(service);
    const film = await filmOf(FILM_MB * MB);
    const { assetId } = await upload('film.mp4', 'video/mp4', FILM_MB * MB, film.chunks());
    const floor = await startFloor('bare-range', { FILM_URL: await addressOfFilm(s3, bucket) });

    const takeRange = async (url, start, bytes) => {
      const range = `bytes=${start}-${start + bytes - 1}`;
      const taken = await takeAll(url, service.accessToken, { range });
      if (taken !== bytes) throw new Error(`${range} had ${taken} bytes.`);
    };
    const whole = (url) => takeRange(url, 0, FILM_MB * MB);
    // Forwards and backwards, like people looking for a scene.
    const inParts = (url) =>
      inParallel(PARTS, AT_ONCE, (index) =>
        takeRange(url, ((index * 37) % PARTS) * PART_MB * MB, PART_MB * MB),
      );
    const servers = [
      { server: 'service', url: `${service.url}${assets}/${assetId}/preview`, process: service.process },
      { server: 'bare proxy', ...floor },
    ];
    const contenders = await contest(
      [
        { taken: 'whole', take: whole },
        { taken: `${PARTS} parts, ${AT_ONCE} at a time`, take: inParts },
      ].flatMap(({ taken, take }) =>
        servers.map(({ server, url, process: { pid } }) => ({
          server,
          taken,
          measure: () => measured(pid, () => take(url)),
        })),
      ),
      ROUNDS,
    );
    const rows = contenders.map(({ server, taken, rounds }) => ({
      server,
      taken,
      'MB/s': rounded(median(rounds.map(({ seconds }) => FILM_MB / seconds))),
      'CPU share': rounded(median(rounds.map(({ cpuShare }) => cpuShare))),
      'peak RSS MB': Math.max(...rounds.map(({ peakMb }) => peakMb)),
    }));
    const [ratio, ratioInParts] = [0, 2].map((index) => rows[index]['MB/s'] / rows[index + 1]['MB/s']);
    return {
      rows,
      conclusion: `${verdict(ratio, AIM)}; in parts ${ratioInParts.toFixed(2)}; medians of ${ROUNDS} rounds`,
      marks: [
        {
          row: 'R',
          workload: `${FILM_MB} MB by range`,
          ours: `${Math.round(rows[0]['MB/s'])} MB/s`,
          floor: `${Math.round(rows[1]['MB/s'])} MB/s bare proxy`,
          ratio: Math.round(ratio * 100) / 100,
          mark: `at least ${AIM}`,
          met: ratio >= AIM,
          'peak MB': Math.max(rows[0]['peak RSS MB'], rows[2]['peak RSS MB']),
          'children MB': 0,
        },
      ],
    };
  });
}

async function addressOfFilm(s3, bucket) {
  const { Contents } = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'clients/' }));
  const [{ Key }] = Contents.filter(({ Size }) => Size === FILM_MB * MB);
  return getSignedUrl(s3, new GetObjectCommand({ Bucket: bucket, Key }), { expiresIn: 3_600 });
}
