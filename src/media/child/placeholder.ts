import { rgbaToThumbHash } from 'thumbhash';

/** Thumbhash takes pictures up to this many pixels on a side. */
export const PLACEHOLDER_SIDE = 100;

export function placeholderOf(width: number, height: number, rgba: Uint8Array): string {
  return Buffer.from(rgbaToThumbHash(width, height, rgba)).toString('base64');
}

/** The largest size of the same shape that thumbhash takes; a side never vanishes. */
export function placeholderSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, PLACEHOLDER_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
