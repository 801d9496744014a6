import type { FfmpegProgram } from './ffmpeg-program.js';
import { type DecodedFrame, type FrameRequest, MAX_FRAME_SIDE } from './protocol.js';
import { coloursIn, matrixOf } from './video-colours.js';

/** A picture with more dark pixels than this, in percent, counts as black. */
const BLACK_PERCENT = 97;
const SKIP_BLACK = [
  'blackframe=amount=0:threshold=32',
  `metadata=mode=select:key=lavfi.blackframe.pblack:value=${BLACK_PERCENT}:function=less`,
];
const TURNS = new Map([
  [0, []],
  [90, ['transpose=clock']],
  [180, ['hflip', 'vflip']],
  [270, ['transpose=cclock']],
]);
const MAX_EXCERPT_BYTES = 64 * 1024 * 1024;

/** A malicious file may control the decoder. Its request becomes a command line, so only these values are accepted. */
export function isFrameRequest(request: FrameRequest): boolean {
  const { excerpt, width, height, codedHeight, rotation, skipBlack } = request;
  const areSizes = [width, height, codedHeight].every((side) => Number.isSafeInteger(side) && side > 0);
  return (
    areSizes &&
    Math.max(width, height) <= MAX_FRAME_SIDE &&
    excerpt instanceof Uint8Array &&
    excerpt.length <= MAX_EXCERPT_BYTES &&
    TURNS.has(rotation) &&
    typeof skipBlack === 'boolean'
  );
}

/** The first frame, upright and in square pixels; null if none can be decoded, or if all are black and black frames are skipped. */
export async function decodeFrame(
  ffmpeg: FfmpegProgram,
  request: FrameRequest,
  maxPixels: number,
): Promise<DecodedFrame | null> {
  const { excerpt, width, height, codedHeight } = request;
  const size = width * height * 3;
  const decode = (matrix: string) =>
    ffmpeg.run(commandFor(ffmpeg, request, matrix, maxPixels), excerpt, size);

  // Most videos have the colours that their size suggests, so one attempt is usually enough.
  const likely = matrixOf({ matrix: '' }, codedHeight);
  const first = await decode(likely);
  const colours = coloursIn(first.log);
  const matrix = matrixOf(colours, codedHeight);
  const isFinal = first.output === null || matrix === likely;
  const { output } = isFinal ? first : await decode(matrix);
  if (output?.length !== size) return null;
  return { pixels: output, primaries: colours.primaries, transfer: colours.transfer };
}

function commandFor(
  { files }: FfmpegProgram,
  { width, height, rotation, skipBlack }: FrameRequest,
  matrix: string,
  maxPixels: number,
): string[] {
  const isSideways = rotation === 90 || rotation === 270;
  const [wide, high] = isSideways ? [height, width] : [width, height];
  const filters = [
    'showinfo=checksum=0',
    ...(skipBlack ? SKIP_BLACK : []),
    `scale=${wide}:${high}:in_color_matrix=${matrix}:flags=bicubic+accurate_rnd+full_chroma_int`,
    'format=rgb24',
    ...TURNS.get(rotation)!,
  ];
  return [
    ...['-hide_banner', '-nostats', '-v', 'info', '-threads', '1', '-noautorotate'],
    ...['-protocol_whitelist', files.protocol, '-f', 'mov', '-max_pixels', String(maxPixels)],
    ...['-i', files.input, '-an', '-sn', '-dn', '-vf', filters.join(','), '-filter_threads', '1'],
    ...['-frames:v', '1', '-f', 'rawvideo', files.output],
  ];
}
