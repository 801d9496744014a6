export interface SmallPicture {
  width: number;
  height: number;
  rgba: Uint8Array;
}

/** Turns a small picture upright by its EXIF orientation (1–8): cheaper than turning the large one while decoding. */
export function orient(picture: SmallPicture, orientation = 1): SmallPicture {
  if (orientation < 2 || orientation > 8) return picture;
  const lying = orientation >= 5;
  const width = lying ? picture.height : picture.width;
  const height = lying ? picture.width : picture.height;
  const rgba = new Uint8Array(picture.rgba.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      // Where the pixel seen at (x, y) is stored: along rows or columns, from one end or the other.
      const across = lying ? y : x;
      const down = lying ? x : y;
      const fromX = [2, 3, 7, 8].includes(orientation) ? picture.width - 1 - across : across;
      const fromY = [3, 4, 6, 7].includes(orientation) ? picture.height - 1 - down : down;
      const from = (fromY * picture.width + fromX) * 4;
      rgba.set(picture.rgba.subarray(from, from + 4), (y * width + x) * 4);
    }
  }
  return { width, height, rgba };
}
