import { MediaError } from '../media.types.js';

/** Asked of the header, before a single pixel is decoded. */
export function assertPixels(width: number, height: number, maxPixels: number): void {
  if (!(width >= 1 && height >= 1)) throw new MediaError('media_invalid', 'The picture has no size.');
  if (width * height > maxPixels) {
    const limit = Math.floor(maxPixels / 1_000_000);
    throw new MediaError(
      'media_invalid',
      `The picture has ${width} × ${height} pixels; the limit is ${limit} megapixels.`,
    );
  }
}

/** The largest size of the same shape whose sides are no longer than `side`; a side never vanishes. */
export function sizeWithin(
  { width, height }: { width: number; height: number },
  side: number,
): { width: number; height: number } {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
