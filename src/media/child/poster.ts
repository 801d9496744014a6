import { MediaError, type DecodeLimits, type Rendered, type RenderOutput } from '../media.types.js';
import type { ByteSource } from './byte-source.js';
import { startFfmpeg } from './ffmpeg.js';
import { profileOf } from './icc.js';
import { excerptOf } from './mp4-excerpt.js';
import { type OpenVideo, withVideo } from './mp4-input.js';
import sharp from './sharp.js';
import { tiffOf } from './tiff.js';
import { matrixOf, PRIMARIES, probeColours, TRANSFERS } from './video-colours.js';
import { writeOutputs } from './write-outputs.js';

/** How far into a video to look for a picture that is not black. */
const SEARCHED_SECONDS = 1.5;
/** A picture with a higher percentage of dark pixels says nothing about its video. */
const BLACK_PERCENT = 97;
const TURNS: Record<number, string[]> = {
  90: ['transpose=clock'],
  180: ['hflip', 'vflip'],
  270: ['transpose=cclock'],
};

/** The poster is the first frame or, if that is black, the first following frame that is not. */
export function renderPoster(
  source: ByteSource,
  outputs: RenderOutput[],
  limits: DecodeLimits,
): Promise<Rendered[]> {
  return withVideo(source, limits, async (video) => {
    const first = await excerptOf(video.track, 0);
    const tiff =
      (await frameOf(video, first, limits, true)) ??
      (await frameOf(video, await excerptOf(video.track, SEARCHED_SECONDS), limits, true)) ??
      (await frameOf(video, first, limits, false));
    if (!tiff)
      throw new MediaError('media_invalid', 'The video is damaged: its first picture cannot be decoded.');
    const { width, height } = video;
    return writeOutputs({ width, height, open: () => sharp(tiff) }, outputs);
  });
}

/** The first frame, upright and in square pixels; null if none can be decoded, or if all are black and that matters. */
async function frameOf(
  { track, width, height }: OpenVideo,
  excerpt: Uint8Array,
  limits: DecodeLimits,
  skipBlack: boolean,
): Promise<Buffer | null> {
  const ffmpeg = await startFfmpeg();
  ffmpeg.FS.writeFile('/excerpt', excerpt);
  const input = ['-protocol_whitelist', 'file', '-f', 'mov', '-max_pixels', String(limits.maxPixels)];
  const colours = probeColours(ffmpeg, [...input, '-i', '/excerpt']);
  const rotation = await track.getRotation();
  const lying = rotation === 90 || rotation === 270;
  const [wide, high] = lying ? [height, width] : [width, height];
  const black = [
    'blackframe=amount=0:threshold=32',
    `metadata=mode=select:key=lavfi.blackframe.pblack:value=${BLACK_PERCENT}:function=less`,
  ];
  const filters = [
    ...(skipBlack ? black : []),
    `scale=${wide}:${high}:in_color_matrix=${matrixOf(colours, high)}:flags=bicubic+accurate_rnd+full_chroma_int`,
    'format=rgb24',
    ...(TURNS[rotation] ?? []),
  ];
  ffmpeg.exec(
    ...['-v', 'error', '-noautorotate', ...input, '-i', '/excerpt', '-an', '-sn', '-dn'],
    ...['-vf', filters.join(','), '-frames:v', '1', '-f', 'rawvideo', '/frame'],
  );
  if (!ffmpeg.FS.analyzePath('/frame').exists) return null;
  const frame = ffmpeg.FS.readFile('/frame');
  if (frame.length !== width * height * 3) return null;
  const icc = profileOf(PRIMARIES[colours.primaries] ?? 0, TRANSFERS[colours.transfer] ?? 0);
  return tiffOf({ width, height, channels: 3 }, icc, (pixels) => pixels.set(frame));
}
