import { orient } from './orient.js';

/** Three by two pixels, numbered in reading order. */
const stored = {
  width: 3,
  height: 2,
  channels: 4,
  data: Uint8Array.from([1, 2, 3, 4, 5, 6].flatMap((value) => [value, 0, 0, 255])),
};

describe('turning upright', () => {
  // The eight orientations of the EXIF specification: where row 0 and column 0 appear.
  it.each([
    [1, 3, [1, 2, 3, 4, 5, 6]],
    [2, 3, [3, 2, 1, 6, 5, 4]],
    [3, 3, [6, 5, 4, 3, 2, 1]],
    [4, 3, [4, 5, 6, 1, 2, 3]],
    [5, 2, [1, 4, 2, 5, 3, 6]],
    [6, 2, [4, 1, 5, 2, 6, 3]],
    [7, 2, [6, 3, 5, 2, 4, 1]],
    [8, 2, [3, 6, 2, 5, 1, 4]],
    [9, 3, [1, 2, 3, 4, 5, 6]],
  ])('handles orientation %i', (orientation, width, seen) => {
    const upright = orient(stored, orientation);
    expect(upright.width).toBe(width);
    expect([...upright.data].filter((_, index) => index % 4 === 0)).toEqual(seen);
  });
});
