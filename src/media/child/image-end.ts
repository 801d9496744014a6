import { MediaError } from '../media.types.js';
import type { ByteSource } from './byte-source.js';

const WINDOW = 64 * 1024;

/** A PNG is complete when its chunks lead to IEND; decoders stop at the last row and would not notice a lost animation. */
export async function assertPngEnds(source: ByteSource): Promise<void> {
  let window: Buffer = Buffer.alloc(0);
  let base = 0;
  for (let at = 8; at + 8 <= source.size;) {
    if (at < base || at + 8 > base + window.length) {
      base = at;
      window = await source.read(base, WINDOW);
    }
    const length = window.readUInt32BE(at - base);
    if (window.toString('latin1', at - base + 4, at - base + 8) === 'IEND') return;
    at += 12 + length;
  }
  throw cutOff();
}

/** A WebP says in its header how long it is; of an animation only the first frame is decoded here. */
export async function assertWebpEnds(source: ByteSource): Promise<void> {
  const head = await source.read(0, 8);
  // One byte of grace: some writers count the padding byte of the last chunk without writing it.
  if (head.readUInt32LE(4) + 8 > source.size + 1) throw cutOff();
}

function cutOff(): MediaError {
  return new MediaError('media_invalid', 'The image is cut off: its end is missing.');
}
