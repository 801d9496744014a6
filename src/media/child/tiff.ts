/** Rows per strip: libvips holds one strip at a time. */
const STRIP_ROWS = 64;
const SHORT = 3;
const LONG = 4;
const BYTES = 7;

export interface Picture {
  width: number;
  height: number;
  /** RGB, or RGBA with straight alpha. */
  channels: 3 | 4;
}

/** An uncompressed TIFF: the only way to pass pixels and their colour profile to libvips without copying them. */
export function tiffOf(picture: Picture, icc: Buffer | null, fill: (pixels: Buffer) => void): Buffer {
  const { width, height, channels } = picture;
  const strips = Math.ceil(height / STRIP_ROWS);
  const stripBytes = width * channels * STRIP_ROWS;
  const pixelBytes = width * height * channels;
  const entries: [tag: number, type: number, values: number[] | Buffer][] = [
    [256, LONG, [width]],
    [257, LONG, [height]],
    [258, SHORT, Array.from({ length: channels }, () => 8)],
    [259, SHORT, [1]],
    [262, SHORT, [2]],
    [273, LONG, Array.from({ length: strips }, (_, index) => index * stripBytes)],
    [277, SHORT, [channels]],
    [278, LONG, [STRIP_ROWS]],
    [
      279,
      LONG,
      Array.from({ length: strips }, (_, index) => Math.min(stripBytes, pixelBytes - index * stripBytes)),
    ],
    [284, SHORT, [1]],
  ];
  if (channels === 4) entries.push([338, SHORT, [2]]);
  if (icc) entries.push([34675, BYTES, icc]);

  const sizeOf = (type: number, count: number) => count * (type === LONG ? 4 : type === SHORT ? 2 : 1);
  const directoryEnd = 8 + 2 + entries.length * 12 + 4;
  const extra = entries.reduce((sum, [, type, values]) => sum + sizeOf(type, values.length) + 1, 0);
  const pixelsAt = directoryEnd + extra;
  const file = Buffer.alloc(pixelsAt + pixelBytes);
  file.write('II*\0', 0, 'latin1');
  file.writeUInt32LE(8, 4);
  file.writeUInt16LE(entries.length, 8);
  let spare = directoryEnd;
  entries.forEach(([tag, type, values], index) => {
    const at = 10 + index * 12;
    const size = sizeOf(type, values.length);
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(type, at + 2);
    file.writeUInt32LE(values.length, at + 4);
    let target = at + 8;
    if (size > 4) {
      target = spare + (spare & 1);
      file.writeUInt32LE(target, at + 8);
      spare = target + size;
    }
    // Strip offsets are relative to the start of the pixels.
    const base = tag === 273 ? pixelsAt : 0;
    for (const value of values) target = put(file, type, base + value, target);
  });
  fill(file.subarray(pixelsAt));
  return file;
}

function put(file: Buffer, type: number, value: number, at: number): number {
  if (type === LONG) return file.writeUInt32LE(value, at);
  return type === SHORT ? file.writeUInt16LE(value, at) : file.writeUInt8(value, at);
}
