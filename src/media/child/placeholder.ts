import { rgbaToThumbHash } from 'thumbhash';

/** Thumbhash accepts pictures of up to this many pixels per side. */
export const PLACEHOLDER_SIDE = 100;

export function placeholderOf(width: number, height: number, rgba: Uint8Array): string {
  return Buffer.from(rgbaToThumbHash(width, height, rgba)).toString('base64');
}
