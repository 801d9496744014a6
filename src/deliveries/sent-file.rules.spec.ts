import type { SupportedMime } from '../media/file-types.js';
import type { DeliveredRendition } from '../database/entities/delivery.entity.js';
import { renditionToSend } from './sent-file.rules.js';

const sent = (rendition: DeliveredRendition, mimeType: SupportedMime, originals: 'stored' | 'website') =>
  renditionToSend(
    { rendition, surface: 'social' },
    { mimeType, width: 4000, height: 3000, focalPoint: null },
    originals,
  );
const nameOf = (...args: Parameters<typeof sent>) => sent(...args)?.name ?? 'original';

describe('renditionToSend', () => {
  it('sends pictures that a website stores unchanged, and videos as uploaded', () => {
    expect(nameOf('original', 'image/jpeg', 'website')).toBe('website.jpeg');
    expect(nameOf('original', 'image/heic', 'website')).toBe('website.jpeg');
    expect(nameOf('original', 'image/png', 'website')).toBe('website.png');
    expect(nameOf('original', 'image/webp', 'website')).toBe('website.webp');
    expect(nameOf('original', 'video/mp4', 'website')).toBe('original');
    expect(sent('original', 'image/png', 'website')?.maxSide).toBe(2560);
  });

  it('sends other targets the stored bytes', () => {
    for (const type of ['image/jpeg', 'image/heic', 'image/png', 'image/webp', 'video/mp4'] as const)
      expect(nameOf('original', type, 'stored')).toBe('original');
  });

  it('keeps transparency in smaller sizes', () => {
    expect(nameOf('large', 'image/png', 'website')).toBe('large.webp');
    expect(nameOf('small', 'image/webp', 'stored')).toBe('small.webp');
    expect(nameOf('thumb', 'image/heic', 'stored')).toBe('thumb.jpeg');
    expect(nameOf('large', 'video/mp4', 'website')).toBe('large.jpeg');
  });

  it('makes the rendition that fits the surface', () => {
    expect(nameOf('fit', 'image/heic', 'website')).toMatch(/^fit-social-original-.*\.jpeg$/);
    expect(nameOf('fit', 'image/png', 'stored')).toMatch(/^fit-social-original-.*\.jpeg$/);
  });
});
