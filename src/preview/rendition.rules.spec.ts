import { MAX_FRAME_SIDE } from '../media/protocol.js';
import { EAGER, formatFor, renditionFor, SIZES } from './rendition.rules.js';

describe('SIZES', () => {
  it('are at most as large as the frames of videos', () => {
    expect(Math.max(...Object.values(SIZES))).toBeLessThanOrEqual(MAX_FRAME_SIDE);
  });
});

describe('renditionFor', () => {
  it('has the size of the original if no size is requested', () => {
    expect(renditionFor(null, 'webp')).toEqual({ name: 'display.jpeg', maxSide: null, format: 'jpeg' });
  });

  it('has the sizes of the contract', () => {
    expect(renditionFor('thumb', 'jpeg')).toEqual({
      name: 'thumb.jpeg',
      maxSide: 256,
      format: 'jpeg',
    });
    expect(EAGER.map(({ name, maxSide }) => [name, maxSide])).toEqual([
      ['thumb.webp', 256],
      ['small.webp', 640],
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
  ])('for Accept %p is %s', (accept, format) => {
    expect(formatFor(accept)).toBe(format);
  });
});
