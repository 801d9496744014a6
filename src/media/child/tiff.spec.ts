import sharp from 'sharp';
import { tiffOf } from './tiff.js';

describe('tiffOf', () => {
  it.each([
    [3, 1, 1],
    [3, 5, 64],
    [4, 7, 65],
    [4, 3, 200],
  ] as const)(
    'passes %i channels of %i × %i pixels to libvips unchanged',
    async (channels, width, height) => {
      const bytes = Buffer.from(
        Array.from({ length: width * height * channels }, (_, index) => (index * 7) % 251),
      );
      const tiff = tiffOf({ width, height, channels }, null, (pixels) => pixels.set(bytes));
      const { data, info } = await sharp(tiff).raw().toBuffer({ resolveWithObject: true });
      expect(info).toMatchObject({ width, height, channels });
      expect(data.equals(bytes)).toBe(true);
    },
  );

  it('carries a profile of any length', async () => {
    for (const length of [129, 548]) {
      const icc = Buffer.alloc(length, 7);
      const tiff = tiffOf({ width: 2, height: 2, channels: 3 }, icc, () => undefined);
      expect((await sharp(tiff).metadata()).icc?.equals(icc)).toBe(true);
    }
  });
});
