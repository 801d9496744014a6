/** FFmpeg's names; empty if neither the container nor the stream specifies them. */
export interface VideoColours {
  matrix: string;
  primaries: string;
  transfer: string;
}

/** FFmpeg's names for the numbers of ITU-T H.273 that differ from sRGB. */
export const PRIMARIES: ReadonlyMap<string, number> = new Map([
  ['bt2020', 9],
  ['smpte432', 12],
]);
export const TRANSFERS: ReadonlyMap<string, number> = new Map([
  ['bt470m', 4],
  ['bt470bg', 5],
  ['linear', 8],
  ['smpte2084', 16],
  ['arib-std-b67', 18],
]);

/** The scaler's names for them. */
const MATRICES: ReadonlyMap<string, string> = new Map([
  ['bt709', 'bt709'],
  ['fcc', 'fcc'],
  ['bt470bg', 'bt601'],
  ['smpte170m', 'bt601'],
  ['smpte240m', 'smpte240m'],
  ['bt2020nc', 'bt2020'],
  ['bt2020c', 'bt2020'],
]);
/** If nothing is specified, players treat high definition as BT.709 and anything smaller as BT.601. */
const HIGH_DEFINITION = 720;

export function matrixOf({ matrix }: Pick<VideoColours, 'matrix'>, height: number): string {
  return MATRICES.get(matrix) ?? (height >= HIGH_DEFINITION ? 'bt709' : 'bt601');
}

/** From what the filter `showinfo` logs about a frame. */
export function coloursIn(log: string): VideoColours {
  const entry = (name: string) => new RegExp(`\\b${name}:([a-z0-9-]+)`).exec(log)?.[1] ?? '';
  return {
    matrix: entry('color_space'),
    primaries: entry('color_primaries'),
    transfer: entry('color_trc'),
  };
}
