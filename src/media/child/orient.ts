import type { SmallPicture } from '../media.types.js';

/** Whether a picture with this EXIF orientation is stored sideways. */
export function isTransposed(orientation = 1): boolean {
  return orientation >= 5 && orientation <= 8;
}

/** Rotates a small picture upright by its EXIF orientation (1–8), which is cheaper than rotating the large one while decoding. */
export function orient(picture: SmallPicture, orientation = 1): SmallPicture {
  if (orientation < 2 || orientation > 8) return picture;
  const { channels } = picture;
  const transposed = isTransposed(orientation);
  const width = transposed ? picture.height : picture.width;
  const height = transposed ? picture.width : picture.height;
  // Along stored rows and columns, from either end.
  const column = [2, 3, 7, 8].includes(orientation) ? -channels : channels;
  const row = ([3, 4, 6, 7].includes(orientation) ? -channels : channels) * picture.width;
  const start =
    (column < 0 ? (picture.width - 1) * channels : 0) + (row < 0 ? (picture.height - 1) * -row : 0);
  const [right, down] = transposed ? [row, column] : [column, row];
  const data = new Uint8Array(picture.data.length);
  for (let y = 0, to = 0; y < height; y += 1) {
    for (let x = 0, from = start + y * down; x < width; x += 1, from += right) {
      for (let channel = 0; channel < channels; channel += 1) data[to++] = picture.data[from + channel]!;
    }
  }
  return { width, height, channels, data };
}
