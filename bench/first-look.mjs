import { performance } from 'node:perf_hooks';
import sharp from 'sharp';
import { median, rounded } from './support/contest.mjs';
import { photograph } from './support/photograph.mjs';
import { measured } from './support/process-use.mjs';
import { STORE, withServers } from './support/servers.mjs';
import { inParallel, takeAll, uploaderOf } from './support/transfers.mjs';

export const title =
  'the first look at new photographs of 12 MP: upload them and fetch every thumb and small, against sharp making the same sizes';

const PHOTOGRAPHS = Number(process.env.BENCH_PHOTOGRAPHS ?? 24);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const AT_ONCE = 4;
const SIZES = { thumb: 256, small: 640 };
/** As the service encodes them. */
const WEBP = { quality: 80, effort: 2 };
/** 3.6 s against a floor of 1.2 s. */
const MARK = 3.6 / 1.2;

export async function run() {
  return withServers(async ({ startService }) => {
    const jpeg = await photograph(4000, 3000).toBuffer();
    // Bytes after the end of a JPEG are tolerated.
    const files = Array.from({ length: PHOTOGRAPHS }, (_, index) =>
      Buffer.concat([jpeg, Buffer.from([index])]),
    );
    const service = await startService('first_look', { WORKER: 'inline' });
    const { assets, upload } = await uploaderOf(service);
    const look = async (file) => {
      const { assetId } = await upload('photograph.jpg', 'image/jpeg', file.length, [file]);
      const preview = `${service.url}${assets}/${assetId}/preview`;
      await Promise.all(
        Object.keys(SIZES).map((size) => takeAll(`${preview}?size=${size}`, service.accessToken)),
      );
    };
    await inParallel(4, AT_ONCE, (index) => look(files[index % files.length]));

    const [ours, floors] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      floors.push(await sharpAlone(files));
      ours.push(
        await measured(service.process.pid, () =>
          inParallel(files.length, AT_ONCE, (index) => look(files[index])),
        ),
      );
    }
    const middle = ours.toSorted((a, b) => a.seconds - b.seconds)[ours.length >> 1];
    const floorSeconds = median(floors);
    const ratio = rounded(middle.seconds / floorSeconds);
    const perSecond = (seconds) => rounded(PHOTOGRAPHS / seconds);
    return {
      rows: [
        {
          what: 'service',
          'photographs/s': perSecond(middle.seconds),
          seconds: middle.seconds.toFixed(2),
          'peak MB': middle.peakMb,
          'children MB': middle.peakChildrenMb,
        },
        {
          what: 'sharp alone',
          'photographs/s': perSecond(floorSeconds),
          seconds: floorSeconds.toFixed(2),
          'peak MB': '',
          'children MB': '',
        },
      ],
      conclusion: `${PHOTOGRAPHS} photographs of ${Math.round(jpeg.length / 1e5) / 10} MB, ${AT_ONCE} in parallel, medians of ${ROUNDS} rounds, on ${STORE}`,
      marks: [
        {
          row: 'T',
          workload: `${PHOTOGRAPHS} photographs of 12 MP, first session to last thumb and small`,
          ours: `${middle.seconds.toFixed(1)} s`,
          floor: `${floorSeconds.toFixed(1)} s sharp alone`,
          ratio,
          mark: `at most ${rounded(MARK)}`,
          met: ratio <= MARK,
          'peak MB': middle.peakMb,
          'children MB': middle.peakChildrenMb,
        },
      ],
    };
  });
}

/** In one process that uses all cores, as sharp does by default. */
async function sharpAlone(files) {
  const startedAt = performance.now();
  await inParallel(files.length, AT_ONCE, async (index) => {
    const sides = Object.values(SIZES);
    for (const side of sides)
      await sharp(files[index]).autoOrient().resize(side, side, { fit: 'inside' }).webp(WEBP).toBuffer();
  });
  return (performance.now() - startedAt) / 1000;
}
