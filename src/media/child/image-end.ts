import { MediaError } from '../media.types.js';

/** A PNG is complete if its chunks lead to IEND. Decoders stop at the last row and would not notice a missing animation. */
export function requirePngEnd(bytes: Buffer): void {
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return;
  }
  throw cutOff();
}

/** A WebP contains its length in the header. Only the first frame of an animation is decoded here. */
export function requireWebpEnd(bytes: Buffer): void {
  // One byte of tolerance: some writers count the padding byte of the last chunk without writing it.
  if (bytes.readUInt32LE(4) + 8 > bytes.length + 1) throw cutOff();
}

function cutOff(): MediaError {
  return new MediaError('media_invalid', 'The image is truncated: its end is missing.');
}
