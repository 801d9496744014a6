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
