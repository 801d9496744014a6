import { cropPosition } from './crop-position';

const WIDE = { width: 4000, height: 2000 };
const SQUARE = { width: 1080, height: 1080 };

describe('The position of a crop', () => {
  it.each([
    ['in the middle', WIDE, SQUARE, { x: 0.5, y: 0.9 }, '50% 50%'],
    ['at the left edge', WIDE, SQUARE, { x: 0.1, y: 0.5 }, '0% 50%'],
    ['at the right edge', WIDE, SQUARE, { x: 1, y: 0.5 }, '100% 50%'],
    ['around the focal point', WIDE, SQUARE, { x: 0.4, y: 0.5 }, '30% 50%'],
    ['further down', { width: 1000, height: 4000 }, SQUARE, { x: 0, y: 0.5 + 1 / 8 }, '50% 66.7%'],
    ['anywhere, if nothing is cut off', SQUARE, SQUARE, { x: 0, y: 1 }, '50% 50%'],
  ])('is %s', (_where, picture, crop, focalPoint, position) => {
    expect(cropPosition(picture, crop, focalPoint)).toBe(position);
  });
});
