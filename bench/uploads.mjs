import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { filmOf } from './support/film.mjs';
import { measured } from './support/process-use.mjs';
import { withServers } from './support/servers.mjs';
import { inParallel, put, uploaderOf } from './support/transfers.mjs';

export const title = 'sessions and finalizes per second (200 KB JPEGs, embedded store), and a film of 1 GiB';

const FILES = Number(process.env.BENCH_FILES ?? 300);
const AT_ONCE = 16;
const GIB = 1024 ** 3;
const FILM_AIM_MB = 250;
const WORKING = { WORKER: 'inline' };

export async function run() {
  return withServers(async ({ startService }) => {
    const { opening, finalizing } = await measurePictures(await startService('pictures', WORKING));
    // In a process of its own: what the pictures left in the heap would be counted.
    const film = await measureFilm(await startService('film', WORKING));
    const verdict = film.peakMb < FILM_AIM_MB ? 'reached' : 'missed';
    return {
      rows: [
        row('opening sessions', opening, FILES),
        row('finalizing 200 KB JPEGs', finalizing, FILES),
        row('finalizing a film of 1 GiB', film, 1),
      ],
      conclusion: `film at ${film.peakMb} MB (aim: under ${FILM_AIM_MB} MB, ${verdict}); ${AT_ONCE} at once; CPU and memory of the service's own process, without decoders and store`,
    };
  });
}

async function measurePictures(service) {
  const { pid } = service.process;
  const { open, finalize } = await uploaderOf(service);
  const jpegs = await pictures();
  const file = (index) => jpegs[index % jpegs.length];
  const stage = async (index) => {
    const session = await open('picture.jpg', 'image/jpeg', file(index).length);
    await put(session.uploadUrl, file(index).length, [file(index)]);
    return session;
  };
  for (let index = 0; index < 20; index++) await finalize(await stage(index));
  const opening = await measured(pid, () =>
    inParallel(FILES, AT_ONCE, (index) => open('picture.jpg', 'image/jpeg', file(index).length)),
  );
  await inParallel(FILES, AT_ONCE, (index) =>
    put(opening.result[index].uploadUrl, file(index).length, [file(index)]),
  );
  const finalizing = await measured(pid, () =>
    inParallel(FILES, AT_ONCE, (index) => finalize(opening.result[index])),
  );
  return { opening, finalizing };
}

async function measureFilm(service) {
  const { open, finalize } = await uploaderOf(service);
  const film = await filmOf(GIB);
  const session = await open('film.mp4', 'video/mp4', GIB);
  await put(session.uploadUrl, GIB, film.chunks());
  return measured(service.process.pid, async () => {
    const asset = await finalize(session);
    if (asset.sha256 !== film.sha256) throw new Error('The film has another checksum than its bytes.');
  });
}

function row(what, { seconds, cpuShare, peakMb }, count) {
  return {
    what,
    'per s': Math.round((count / seconds) * 10) / 10,
    seconds: Math.round(seconds * 100) / 100,
    'CPU %': Math.round(cpuShare * 100),
    'peak MB': peakMb,
  };
}

/** JPEGs of about 200 KB that differ. */
async function pictures() {
  const [width, height] = [1200, 800];
  const made = [];
  for (let index = 0; index < 8; index++) {
    const noise = await sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
      .blur(1.2)
      .jpeg({ quality: 78 })
      .toBuffer();
    made.push(noise);
  }
  return made;
}
