import { rgbaToThumbHash } from 'thumbhash';

/** A thumbhash takes up to 100 pixels on a side, but looks the same from 64 at half the cost. */
export const PLACEHOLDER_SIDE = 64;

export function placeholderOf(width: number, height: number, rgba: Uint8Array): string {
  return Buffer.from(rgbaToThumbHash(width, height, rgba)).toString('base64');
}
