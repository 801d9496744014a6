import { MediaError } from '../media.types.js';

/** Taken from the header, before any pixel is decoded. */
export function requirePixels(width: number, height: number, maxPixels: number): void {
  if (!(width >= 1 && height >= 1)) throw new MediaError('media_invalid', 'The picture has no dimensions.');
  if (width * height > maxPixels) {
    const limit = Math.floor(maxPixels / 1_000_000);
    throw new MediaError(
      'media_invalid',
      `The picture has ${width} × ${height} pixels; the limit is ${limit} megapixels.`,
    );
  }
}

/** The largest size with the same shape whose sides are at most `side`; a side is never 0. */
export function sizeWithin(
  { width, height }: { width: number; height: number },
  side: number,
): { width: number; height: number } {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
