import { PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { performance } from 'node:perf_hooks';
import { filmOf } from './support/film.mjs';
import { median, rounded } from './support/contest.mjs';
import { smallPhotographs } from './support/photograph.mjs';
import { measured, whenIdle } from './support/process-use.mjs';
import { STORE, withServers } from './support/servers.mjs';
import { inParallel, put, uploaderOf } from './support/transfers.mjs';

export const title =
  'uploads: 200 KB JPEGs, from session to finalize, against presigned PUTs alone; and a film of 1 GiB';

const FILES = Number(process.env.BENCH_FILES ?? 200);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const FILM_BYTES = Number(process.env.BENCH_FILM_MB ?? 1024) * 1024 ** 2;
const AT_ONCE = 4;
/** 5 s against a floor of 0.7 s. */
const MARK = 5 / 0.7;
const FILM_AIM_MB = 250;
const WORKING = { WORKER: 'inline' };

export async function run() {
  const jpegs = await smallPhotographs();
  const { ours, floors } = await withServers(async ({ s3, bucket, startService }) =>
    measurePictures(await startService('pictures', WORKING), jpegs, () => presignAndPut(s3, bucket, jpegs)),
  );
  const floorSeconds = median(floors);
  const best = ours.toSorted((a, b) => a.seconds - b.seconds)[ours.length >> 1];
  // In a separate process; otherwise what the pictures left in the heap would be counted.
  const film =
    FILM_BYTES > 0
      ? await withServers(async ({ startService }) => measureFilm(await startService('film', WORKING)))
      : null;
  const ratio = rounded(best.seconds / floorSeconds);
  return {
    rows: [
      row(`${FILES} JPEGs of ${Math.round(jpegs[0].length / 1000)} KB`, best, FILES),
      {
        what: 'presign and PUT alone',
        'per s': rounded(FILES / floorSeconds),
        seconds: rounded(floorSeconds),
        'p50 ms': '',
        'p99 ms': '',
        'CPU %': '',
        'peak MB': '',
        'children MB': '',
      },
      ...(film ? [row(`finalizing a film of ${FILM_BYTES / 1024 ** 2} MiB`, film, 1)] : []),
    ],
    conclusion:
      `${AT_ONCE} in parallel, medians of ${ROUNDS} rounds, on ${STORE}; milliseconds are of a finalize; CPU of the service's own process` +
      (film
        ? `; film at ${film.peakMb} MB (aim: under ${FILM_AIM_MB} MB, ${film.peakMb < FILM_AIM_MB ? 'reached' : 'missed'})`
        : ''),
    marks: [
      {
        row: 'U',
        workload: `${FILES} JPEGs of 200 KB, session to finalize, ${AT_ONCE} in parallel`,
        ours: `${best.seconds.toFixed(1)} s`,
        floor: `${floorSeconds.toFixed(1)} s presign and PUT`,
        ratio,
        mark: `at most ${rounded(MARK)}`,
        met: ratio <= rounded(MARK),
        'peak MB': best.peakMb,
        'children MB': best.peakChildrenMb,
      },
    ],
  };
}

/** The rounds of both alternate, so that other load on the machine affects both. */
async function measurePictures(service, jpegs, floor) {
  const { upload, open, finalize } = await uploaderOf(service);
  const file = (index) => jpegs[index % jpegs.length];
  await inParallel(20, AT_ONCE, (index) =>
    upload('picture.jpg', 'image/jpeg', file(index).length, [file(index)]),
  );
  const [ours, floors] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    await whenIdle(service.process.pid);
    floors.push(await floor());
    const finalizing = [];
    const result = await measured(service.process.pid, () =>
      inParallel(FILES, AT_ONCE, async (index) => {
        const session = await open('picture.jpg', 'image/jpeg', file(index).length);
        await put(session.uploadUrl, file(index).length, [file(index)]);
        const startedAt = performance.now();
        await finalize(session);
        finalizing.push(performance.now() - startedAt);
      }),
    );
    finalizing.sort((a, b) => a - b);
    ours.push({ ...result, finalizing });
  }
  return { ours, floors };
}

async function presignAndPut(s3, bucket, jpegs) {
  const startedAt = performance.now();
  await inParallel(FILES, AT_ONCE, async (index) => {
    const jpeg = jpegs[index % jpegs.length];
    const command = new PutObjectCommand({
      Bucket: bucket,
      Key: `floor/${index}`,
      ContentLength: jpeg.length,
    });
    await put(await getSignedUrl(s3, command, { expiresIn: 900 }), jpeg.length, [jpeg]);
  });
  return (performance.now() - startedAt) / 1000;
}

async function measureFilm(service) {
  const { open, finalize } = await uploaderOf(service);
  const film = await filmOf(FILM_BYTES);
  const session = await open('film.mp4', 'video/mp4', FILM_BYTES);
  await put(session.uploadUrl, FILM_BYTES, film.chunks());
  return measured(service.process.pid, async () => {
    const asset = await finalize(session);
    if (asset.sha256 !== film.sha256) throw new Error('The checksum of the film does not match its bytes.');
  });
}

function row(what, { seconds, finalizing = [], cpuShare, peakMb, peakChildrenMb }, count) {
  const at = (share) =>
    finalizing.length > 0 ? Math.round(finalizing[Math.floor(finalizing.length * share)]) : '';
  return {
    what,
    'per s': rounded(count / seconds),
    seconds: Math.round(seconds * 100) / 100,
    'p50 ms': at(0.5),
    'p99 ms': at(0.99),
    'CPU %': Math.round(cpuShare * 100),
    'peak MB': peakMb,
    'children MB': peakChildrenMb,
  };
}
