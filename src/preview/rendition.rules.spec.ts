import { EAGER, formatFor, renditionFor } from './rendition.rules.js';

describe('renditionFor', () => {
  it('shows the original where browsers can', () => {
    for (const type of ['image/jpeg', 'image/png', 'image/webp', 'video/mp4'] as const) {
      expect(renditionFor(type, null, 'webp')).toBeNull();
    }
  });

  it('converts HEIC at full size', () => {
    expect(renditionFor('image/heic', null, 'webp')).toEqual({
      name: 'display.jpeg',
      maxSide: null,
      format: 'jpeg',
    });
  });

  it('has a size for every type', () => {
    expect(renditionFor('video/mp4', 'thumb', 'jpeg')).toEqual({
      name: 'thumb.jpeg',
      maxSide: 256,
      format: 'jpeg',
    });
    expect(EAGER.map(({ name, maxSide }) => [name, maxSide])).toEqual([
      ['thumb.webp', 256],
      ['small.webp', 640],
      ['large.webp', 1600],
    ]);
  });
});

describe('formatFor', () => {
  it.each([
    [undefined, 'webp'],
    ['*/*', 'webp'],
    ['image/avif,image/webp,image/apng,*/*;q=0.8', 'webp'],
    ['image/webp', 'webp'],
    ['image/webp;q=0', 'jpeg'],
    ['image/webp;q=0.5, image/jpeg', 'webp'],
    ['image/jpeg', 'jpeg'],
    ['image/jpeg, */*;q=0.1', 'jpeg'],
    ['image/png', 'jpeg'],
    ['', 'jpeg'],
  ])('answers %p with %s', (accept, format) => {
    expect(formatFor(accept)).toBe(format);
  });
});
