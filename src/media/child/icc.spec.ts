import sharp from 'sharp';
import { profileOf } from './icc.js';
import { tiffOf } from './tiff.js';

const SRGB = 13;
const P3 = 12;
const BT2020 = 9;

/** What libvips shows for one colour with a profile. */
async function shown(colour: [number, number, number], icc: Buffer | null): Promise<number[]> {
  const tiff = tiffOf({ width: 2, height: 100, channels: 3 }, icc, (pixels) =>
    pixels.fill(Buffer.from(colour)),
  );
  const pixels = await sharp(tiff).toColourspace('srgb').raw().toBuffer();
  return [...pixels.subarray(0, 3)];
}

describe('profiles for colours named by number', () => {
  it('are not needed for sRGB and equivalents', () => {
    for (const transfer of [0, 1, 2, 6, SRGB]) expect(profileOf(1, transfer)).toBeNull();
    expect(profileOf(2, 2)).toBeNull();
  });

  it.each([P3, BT2020])('keep grey grey (primaries %i)', async (primaries) => {
    for (const level of [0, 50, 128, 255]) {
      for (const part of await shown([level, level, level], profileOf(primaries, SRGB)))
        expect(Math.abs(part - level)).toBeLessThanOrEqual(1);
    }
  });

  it('show Display P3 as the profile that sharp ships does', async () => {
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#000' } })
      .withIccProfile('p3')
      .png()
      .toBuffer();
    const shipped = (await sharp(png).metadata()).icc ?? null;
    for (const colour of [
      [200, 100, 50],
      [40, 160, 90],
      [90, 80, 180],
    ] as [number, number, number][]) {
      const [ours, theirs] = [await shown(colour, profileOf(P3, SRGB)), await shown(colour, shipped)];
      expect(ours).not.toEqual(colour);
      ours.forEach((part, index) => expect(Math.abs(part - (theirs[index] ?? 0))).toBeLessThanOrEqual(2));
    }
  });

  it.each([16, 18])(
    'bring HDR down to the screen: paper white nearly white, the rest in order (transfer %i)',
    async (transfer) => {
      // 203 cd/m² is at 58 % of PQ and at 75 % of HLG.
      const paper = Math.round((transfer === 16 ? 0.58 : 0.75) * 255);
      const levels = await Promise.all(
        [0, 40, 80, paper, 255].map(
          async (level) => (await shown([level, level, level], profileOf(BT2020, transfer)))[0] ?? 0,
        ),
      );
      expect(levels).toEqual([...levels].sort((a, b) => a - b));
      expect(levels[0]).toBe(0);
      expect(levels[3]).toBeGreaterThan(225);
      expect(levels[3]).toBeLessThan(250);
      expect(levels[4]).toBeGreaterThan(250);
    },
  );
});
