import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import sharp from 'sharp';
import { DecoderPool } from '../dist/src/media/decoder-pool.js';
import { MediaDecoder } from '../dist/src/media/media-decoder.js';
import { mediaDefaults } from '../dist/src/media/media-defaults.js';
import { contest, median, rounded, verdict } from './support/contest.mjs';
import { photograph } from './support/photograph.mjs';
import { inParallel } from './support/transfers.mjs';

export const title =
  'first-time 640 px WebP of 12 MP JPEGs by the decoder children, against bare sharp at the same settings';

const AIM = 0.85;
const ROUNDS = 5;
const IMAGES = 24;
const SIDE = 640;
const OWNER = { clientId: 'bench', priority: 'interactive' };
const PARALLEL = Math.min(2, availableParallelism());

export async function run() {
  const folder = await mkdtemp(join(tmpdir(), 'bench-previews-'));
  const entry = join(import.meta.dirname, '../dist/src/media/child/main.js');
  const options = { ...mediaDefaults, entry, decoders: 2 * (PARALLEL + 1) };
  const pool = new DecoderPool(options);
  const decoder = new MediaDecoder(pool, options);
  // As in the decoder children: one thread per picture, and the same number of pictures in parallel.
  sharp.cache(false);
  sharp.concurrency(1);
  try {
    const files = await photographs(folder);
    const round = (make) => imagesPerSecond(make, files);
    const contenders = await contest(
      [
        {
          name: 'decoder children',
          measure: () => round((from, to) => throughChildren(decoder, from, to)),
        },
        { name: 'bare sharp', measure: () => round(bareSharp) },
      ],
      ROUNDS,
    );
    const rows = contenders.map(({ name, rounds }) => ({
      'made by': name,
      'images/s': rounded(median(rounds)),
      best: Math.max(...rounds).toFixed(1),
    }));
    const ratio = rows[0]['images/s'] / rows[1]['images/s'];
    return {
      rows,
      conclusion: `${verdict(ratio, AIM)}; medians of ${ROUNDS} rounds of ${IMAGES} images, ${PARALLEL} at a time`,
    };
  } finally {
    await pool.close();
    await rm(folder, { recursive: true });
  }
}

/** A different file for each, as for uploads. */
async function photographs(folder) {
  const first = join(folder, '0.jpg');
  await photograph(4032, 3024).toFile(first);
  const files = Array.from({ length: IMAGES }, (_, index) => join(folder, `${index}.jpg`));
  for (const file of files.slice(1)) await copyFile(first, file);
  return files;
}

async function imagesPerSecond(make, files) {
  const started = performance.now();
  await inParallel(files.length, PARALLEL, (index) => make(files[index], `${files[index]}.webp`));
  return files.length / ((performance.now() - started) / 1000);
}

async function throughChildren(decoder, from, to) {
  const output = { name: 'bench', maxSide: SIDE, format: 'webp' };
  const [{ bytes }] = await decoder.render(OWNER, { kind: 'file', path: from }, 'image/jpeg', [output]);
  await writeFile(to, bytes);
}

async function bareSharp(from, to) {
  await sharp(from)
    .autoOrient()
    .resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80, effort: 2 })
    .toFile(to);
}
