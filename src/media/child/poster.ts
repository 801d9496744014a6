import { type DecodedFrame, type FrameRequest, MAX_FRAME_SIDE } from '../protocol.js';
import { MediaError, type DecodeLimits, type Rendered, type RenderOutput } from '../media.types.js';
import { PRIMARIES, TRANSFERS } from '../video-colours.js';
import type { ByteSource } from './byte-source.js';
import { profileOf } from './icc.js';
import { excerptOf } from './mp4-excerpt.js';
import { type OpenVideo, withVideo } from './mp4-input.js';
import { sizeWithin } from './pixels.js';
import sharp from './sharp.js';
import { tiffOf } from './tiff.js';
import { writeOutputs } from './write-outputs.js';

/** How far into a video to look for a picture that is not black. */
const SEARCHED_SECONDS = 1.5;

/** Asks the parent for a frame. */
export type DecodeFrame = (request: FrameRequest) => Promise<DecodedFrame | null>;

/** The poster is the first frame or, if that is black, the first following frame that is not. */
export function renderPoster(
  source: ByteSource,
  outputs: RenderOutput[],
  limits: DecodeLimits,
  decodeFrame: DecodeFrame,
): Promise<Rendered[]> {
  return withVideo(source, limits, async (video) => {
    const first = await excerptOf(video.track, 0);
    const tiff =
      (await frameOf(video, first, decodeFrame, true)) ??
      (await frameOf(video, await excerptOf(video.track, SEARCHED_SECONDS), decodeFrame, true)) ??
      (await frameOf(video, first, decodeFrame, false));
    if (!tiff)
      throw new MediaError('media_invalid', 'The video is damaged: its first picture cannot be decoded.');
    return writeOutputs({ ...sizeWithin(video, MAX_FRAME_SIDE), open: () => sharp(tiff) }, outputs);
  });
}

async function frameOf(
  video: OpenVideo,
  excerpt: Uint8Array,
  decodeFrame: DecodeFrame,
  skipBlack: boolean,
): Promise<Buffer | null> {
  const rotation = await video.track.getRotation();
  const codedHeight = rotation === 90 || rotation === 270 ? video.width : video.height;
  const { width, height } = sizeWithin(video, MAX_FRAME_SIDE);
  const frame = await decodeFrame({
    kind: 'frame',
    excerpt,
    width,
    height,
    codedHeight,
    rotation,
    skipBlack,
  });
  if (frame === null) return null;
  const icc = profileOf(PRIMARIES.get(frame.primaries) ?? 0, TRANSFERS.get(frame.transfer) ?? 0);
  return tiffOf({ width, height, channels: 3 }, icc, (pixels) => pixels.set(frame.pixels));
}
