import { rgbaToThumbHash } from 'thumbhash';

/** Thumbhash keeps seven waves per side. From 100 pixels, the maximum, it takes twice as long and looks the same. */
export const PLACEHOLDER_SIDE = 32;

export function placeholderOf(width: number, height: number, rgba: Uint8Array): string {
  return Buffer.from(rgbaToThumbHash(width, height, rgba)).toString('base64');
}
