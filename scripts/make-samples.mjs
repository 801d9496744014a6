// Regenerates the demo pictures (src/embedded/samples) and the media fixtures of the tests (test/fixtures/media). Run manually when needed;
// the results are committed. Besides the npm packages, it needs an HEVC encoder that npm does not provide: apt-get install ffmpeg
// libheif-examples
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { cake, emblem, latte, steamFrame, storefront, wheatField } from './samples/scenes.mjs';

const root = join(import.meta.dirname, '..');
const demo = join(root, 'src/embedded/samples');
const fixtures = join(root, 'test/fixtures/media');
const work = mkdtempSync(join(tmpdir(), 'samples-'));
const SECONDS = 4;
const RATE = 24;

const taken = (date, offset) => ({
  IFD0: { Make: 'Morning Crumb', Model: 'Drawn, not photographed' },
  IFD2: { DateTimeOriginal: date, ...(offset ? { OffsetTimeOriginal: offset } : {}) },
});
const draw = (svg) => sharp(Buffer.from(svg));
const ffmpeg = (...args) => execFileSync('ffmpeg', ['-v', 'error', '-y', ...args], { stdio: 'inherit' });
const x264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'veryslow'];

async function stills() {
  await draw(storefront())
    .jpeg({ quality: 82, mozjpeg: true })
    .withExif(taken('2026:05:17 05:48:12', '+02:00'))
    .toFile(join(demo, 'storefront.jpg'));
  await draw(emblem())
    .png({ compressionLevel: 9, palette: true, colours: 200 })
    .toFile(join(demo, 'emblem.png'));
  await draw(latte())
    .webp({ quality: 82 })
    .withExif(taken('2026:05:17 08:15:40', '+02:00'))
    .toFile(join(demo, 'latte.webp'));
  // Stored sideways with an orientation tag, as phones do.
  await draw(cake())
    .rotate(-90)
    .jpeg({ quality: 84, mozjpeg: true })
    .withMetadata({ orientation: 6 })
    .withExifMerge(taken('2026:06:02 14:20:00'))
    .toFile(join(demo, 'berry-cake.jpg'));
}

async function heic(svg, size, target, date) {
  const jpeg = join(work, 'still.jpg');
  await draw(svg)
    .resize(size)
    .jpeg({ quality: 97, chromaSubsampling: '4:4:4' })
    .withExif(taken(date, '+02:00'))
    .toFile(jpeg);
  execFileSync('heif-enc', ['-q', '40', jpeg, '-o', target], { stdio: 'ignore' });
}

async function heicOf10Bits(svg, size, target) {
  const png = join(work, 'still.png');
  await draw(svg).removeAlpha().resize(size).toColourspace('rgb16').png().toFile(png);
  execFileSync('heif-enc', ['-q', '40', '-b', '10', png, '-o', target], { stdio: 'ignore' });
}

async function frames(width) {
  const folder = join(work, `frames-${width}`);
  mkdirSync(folder);
  for (let index = 0; index < SECONDS * RATE; index += 1) {
    const name = join(folder, `${String(index).padStart(4, '0')}.png`);
    await draw(steamFrame(index / (SECONDS * RATE)))
      .resize(width)
      .png({ compressionLevel: 1 })
      .toFile(name);
  }
  return ['-framerate', String(RATE), '-i', join(folder, '%04d.png')];
}

async function videos() {
  const created = ['-metadata', 'creation_time=2026-05-17T06:30:00Z'];
  ffmpeg(
    ...(await frames(1280)),
    ...x264,
    '-crf',
    '25',
    ...created,
    '-movflags',
    '+faststart',
    join(demo, 'steam.mp4'),
  );

  const small = await frames(160);
  const make = (name, ...args) => ffmpeg(...small, '-t', '1', ...args, join(fixtures, name));
  make('h264.mp4', ...x264, '-crf', '40', ...created, '-movflags', '+faststart');
  make('moov-last.mp4', ...x264, '-crf', '40');
  make(
    'fragmented.mp4',
    ...x264,
    '-crf',
    '40',
    '-g',
    '6',
    '-movflags',
    '+frag_keyframe+empty_moov+default_base_moof',
  );
  make('anamorphic.mp4', ...x264, '-crf', '40', '-vf', 'setsar=2/1', '-movflags', '+faststart');
  make(
    'hevc.mp4',
    '-c:v',
    'libx265',
    '-pix_fmt',
    'yuv420p',
    '-crf',
    '40',
    '-tag:v',
    'hvc1',
    '-x265-params',
    'log-level=none',
    '-movflags',
    '+faststart',
  );
  // Half a second of black before the picture, as after a fade-in, and the colours that phones record in.
  make(
    'black-start.mp4',
    ...x264,
    '-crf',
    '40',
    '-vf',
    'drawbox=t=fill:c=black:enable=lt(n\\,12)',
    '-g',
    '240',
  );
  make('all-black.mp4', ...x264, '-crf', '40', '-vf', 'drawbox=t=fill:c=black');
  make(
    'hlg.mp4',
    '-vf',
    'zscale=tin=iec61966-2-1:t=arib-std-b67:pin=bt709:p=bt2020:min=gbr:m=bt2020nc:npl=203,format=yuv420p10le',
    '-frames:v',
    '2',
    '-c:v',
    'libx265',
    '-crf',
    '30',
    '-tag:v',
    'hvc1',
    '-x265-params',
    'log-level=none:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc',
    '-movflags',
    '+faststart',
  );
  make('vp9.mp4', '-c:v', 'libvpx-vp9', '-b:v', '40k', '-movflags', '+faststart');
  make('quicktime.mov', ...x264, '-crf', '40');
  ffmpeg(
    '-i',
    join(fixtures, 'h264.mp4'),
    '-c',
    'copy',
    '-metadata:s:v:0',
    'rotate=90',
    '-movflags',
    '+faststart',
    join(fixtures, 'rotated.mp4'),
  );
  ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=440:duration=1',
    '-c:a',
    'aac',
    '-b:a',
    '24k',
    join(fixtures, 'sound-only.mp4'),
  );
}

for (const folder of [demo, fixtures]) mkdirSync(folder, { recursive: true });
try {
  await stills();
  await heic(wheatField(), 1600, join(demo, 'wheat-field.heic'), '2026:07:21 20:51:30');
  await heic(latte(), 128, join(fixtures, 'still.heic'), '2026:05:17 08:15:40');
  await heicOf10Bits(latte(), 128, join(fixtures, 'still-10bit.heic'));
  await videos();
} finally {
  rmSync(work, { recursive: true });
}
writeFileSync(
  1,
  ['storefront.jpg', 'emblem.png', 'latte.webp', 'berry-cake.jpg', 'wheat-field.heic', 'steam.mp4']
    .map((name) => `${name} ${statSync(join(demo, name)).size}\n`)
    .join(''),
);
