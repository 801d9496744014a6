import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** Rows after which the gradient repeats. */
const PERIOD = 128;

/** A picture that compresses moderately well. */
export function gradient(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  const rows = Math.min(height, PERIOD);
  const first = Buffer.alloc(rows * width * channels);
  let index = 0;
  for (let y = 0; y < rows; y += 1)
    for (let x = 0; x < width; x += 1)
      for (let channel = 0; channel < channels; channel += 1) first[index++] = x * (3 + channel) + y * 2;
  const pixels = Buffer.alloc(height * width * channels, first);
  return sharp(pixels, { raw: { width, height, channels } });
}

/** EXIF as cameras write it. */
export function exif(date: string, offset?: string): { IFD2: Record<string, string> } {
  return { IFD2: { DateTimeOriginal: date, ...(offset ? { OffsetTimeOriginal: offset } : {}) } };
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** A greyscale PNG whose header may declare any size; `rows` is the actual number of rows. */
export function pngClaiming(width: number, height: number, rows: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const data = deflateSync(Buffer.alloc((width + 1) * rows));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Puts bytes after the first segment of a JPEG, where libjpeg calls them extraneous. */
export function withStrayBytes(jpeg: Buffer, stray: Buffer): Buffer {
  const end = 4 + jpeg.readUInt16BE(4);
  return Buffer.concat([jpeg.subarray(0, end), stray, jpeg.subarray(end)]);
}
