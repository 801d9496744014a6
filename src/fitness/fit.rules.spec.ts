import fc from 'fast-check';
import { SURFACES } from '../database/entities/asset.entity.js';
import { fitSize, isLargeEnough } from './fit.rules.js';
import { channelFitness, channelsOf } from './fitness.rules.js';
import {
  type ChannelLimits,
  CHANNELS,
  type CropShape,
  FIT_TARGETS,
  SHAPE_CHANNELS,
  SHAPES,
} from './publishing-limits.js';

describe('the size of a fit rendition', () => {
  it.each([
    ['social', 'original', 4032, 3024, 1080, 810],
    ['social', 'original', 3024, 4032, 1080, 1350],
    ['social', 'original', 3000, 3000, 1080, 1080],
    ['social', 'original', 9000, 3000, 1080, 566],
    ['social', 'original', 1000, 5000, 1000, 1250],
    ['social', 'original', 320, 320, 320, 320],
    ['social', 'square', 4032, 3024, 1080, 1080],
    ['social', 'square', 900, 700, 700, 700],
    ['social', 'portrait', 4032, 3024, 1080, 1350],
    ['social', 'portrait', 401, 3000, 401, 501],
    ['social', 'landscape', 3024, 4032, 1080, 566],
    ['social', 'story', 4032, 3024, 1080, 1920],
    ['social', 'story', 3024, 4032, 1080, 1920],
    ['social', 'story', 900, 1200, 675, 1200],
    ['social', 'story', 320, 5000, 320, 568],
    ['gbp', 'story', 4032, 3024, 1080, 1920],
    ['gbp', 'original', 9000, 3000, 1080, 360],
    ['gbp', 'original', 9000, 1000, 2250, 250],
    ['gbp', 'original', 250, 250, 250, 250],
    ['website', 'original', 4032, 3024, 2560, 1920],
    ['website', 'original', 3024, 4032, 1920, 2560],
    ['website', 'original', 800, 600, 800, 600],
    ['website', 'square', 4032, 3024, 2560, 2560],
    ['website', 'story', 4032, 3024, 1440, 2560],
    ['website', 'original', 30000, 2, 2560, 1],
  ] as const)('on %s, %s, of %d × %d is %d × %d', (surface, shape, width, height, fitWidth, fitHeight) => {
    expect(fitSize({ width, height }, surface, shape)).toEqual({ width: fitWidth, height: fitHeight });
  });

  it('is within the limits of every channel that accepts images, and never enlarged', () => {
    const side = fc.integer({ min: 1, max: 12_000 });
    const request = fc.tuple(side, side, fc.constantFrom(...SURFACES), fc.constantFrom(...SHAPES));
    fc.assert(
      fc.property(request, ([width, height, surface, shape]) => {
        const size = fitSize({ width, height }, surface, shape);
        expect(size.width).toBeLessThanOrEqual(width);
        expect(size.height).toBeLessThanOrEqual(height);
        expect(Math.min(size.width, size.height)).toBeGreaterThanOrEqual(1);
        if (!isLargeEnough({ width, height }, surface, shape)) return;
        for (const channel of channelsOf(surface)) {
          if ((CHANNELS[channel] as ChannelLimits).image === null) continue;
          // Its feed accepts nothing as tall as a story.
          if (shape === 'story' && channel === 'instagram_feed') continue;
          const judged = {
            ...size,
            mimeType: 'image/jpeg' as const,
            sizeBytes: 500_000,
            durationMs: null,
            mediaFacts: { isSrgb: true },
          };
          expect([channel, channelFitness(judged, channel).reasons]).toEqual([channel, []]);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(Object.entries(SHAPE_CHANNELS))(
    'is accepted as %s by the channels named for it',
    (shape, channels) => {
      const size = fitSize({ width: 4032, height: 3024 }, 'social', shape as CropShape);
      for (const channel of channels) {
        const judged = {
          ...size,
          mimeType: 'image/jpeg' as const,
          sizeBytes: FIT_TARGETS.social.maxBytes,
          durationMs: null,
          mediaFacts: { isSrgb: true },
        };
        expect([channel, channelFitness(judged, channel).verdict]).toEqual([channel, 'ready']);
      }
    },
  );

  it('is under the byte limit of every channel', () => {
    for (const surface of SURFACES)
      for (const channel of channelsOf(surface)) {
        const { image }: ChannelLimits = CHANNELS[channel];
        expect(FIT_TARGETS[surface].maxBytes).toBeLessThanOrEqual(image?.maxBytes ?? Infinity);
      }
  });

  it('needs 320 px for social and 250 px for a business profile', () => {
    expect(isLargeEnough({ width: 320, height: 400 }, 'social', 'original')).toBe(true);
    expect(isLargeEnough({ width: 319, height: 400 }, 'social', 'original')).toBe(false);
    expect(isLargeEnough({ width: 700, height: 160 }, 'social', 'original')).toBe(false);
    expect(isLargeEnough({ width: 1000, height: 250 }, 'gbp', 'original')).toBe(true);
    expect(isLargeEnough({ width: 1000, height: 249 }, 'gbp', 'original')).toBe(false);
    expect(isLargeEnough({ width: 1, height: 1 }, 'website', 'square')).toBe(true);
    expect(isLargeEnough({ width: 800, height: 569 }, 'social', 'story')).toBe(true);
    expect(isLargeEnough({ width: 800, height: 568 }, 'social', 'story')).toBe(false);
  });
});
