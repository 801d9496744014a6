import type { TargetKind } from '../database/entities/target.entity.js';
import type { SupportedMime } from '../media/file-types.js';
import type { DeliveredRendition } from '../database/entities/delivery.entity.js';
import { renditionToSend } from './sent-file.rules.js';

const sent = (rendition: DeliveredRendition, mimeType: SupportedMime, targetKind: TargetKind) =>
  renditionToSend(
    { rendition, surface: 'social' },
    { mimeType, width: 4000, height: 3000, focalPoint: null },
    targetKind,
  );
const nameOf = (...args: Parameters<typeof sent>) => sent(...args)?.name ?? 'original';

describe('renditionToSend', () => {
  it('sends WordPress pictures that it stores unchanged, and videos as uploaded', () => {
    expect(nameOf('original', 'image/jpeg', 'wordpress')).toBe('website.jpeg');
    expect(nameOf('original', 'image/heic', 'wordpress')).toBe('website.jpeg');
    expect(nameOf('original', 'image/png', 'wordpress')).toBe('website.png');
    expect(nameOf('original', 'image/webp', 'wordpress')).toBe('website.webp');
    expect(nameOf('original', 'video/mp4', 'wordpress')).toBe('original');
    expect(sent('original', 'image/png', 'wordpress')?.maxSide).toBe(2560);
  });

  it('sends other targets the stored bytes', () => {
    for (const type of ['image/jpeg', 'image/heic', 'image/png', 'image/webp', 'video/mp4'] as const)
      expect(nameOf('original', type, 'http')).toBe('original');
  });

  it('keeps transparency in smaller sizes', () => {
    expect(nameOf('large', 'image/png', 'wordpress')).toBe('large.webp');
    expect(nameOf('small', 'image/webp', 'http')).toBe('small.webp');
    expect(nameOf('thumb', 'image/heic', 'http')).toBe('thumb.jpeg');
    expect(nameOf('large', 'video/mp4', 'wordpress')).toBe('large.jpeg');
  });

  it('makes the rendition that fits the surface', () => {
    expect(nameOf('fit', 'image/heic', 'wordpress')).toMatch(/^fit-social-original-.*\.jpeg$/);
    expect(nameOf('fit', 'image/png', 'http')).toMatch(/^fit-social-original-.*\.jpeg$/);
  });
});
