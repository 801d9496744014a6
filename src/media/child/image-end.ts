import { MediaError } from '../media.types.js';

/** A PNG is complete when its chunks lead to IEND; decoders stop at the last row and would not notice a lost animation. */
export function assertPngEnds(bytes: Buffer): void {
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return;
  }
  throw cutOff();
}

/** A WebP says in its header how long it is; of an animation only the first frame is decoded here. */
export function assertWebpEnds(bytes: Buffer): void {
  // One byte of grace: some writers count the padding byte of the last chunk without writing it.
  if (bytes.readUInt32LE(4) + 8 > bytes.length + 1) throw cutOff();
}

function cutOff(): MediaError {
  return new MediaError('media_invalid', 'The image is cut off: its end is missing.');
}
