import { markerOf, markersOf } from './marker.rules.js';

const ID = '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10';

describe('markerOf', () => {
  it('is a slug that WordPress keeps unchanged', () => {
    expect(markerOf(ID)).toBe('cal-0198a3c47b1e7cc08f5e2f5d1c9a7b10');
    expect(markerOf(ID)).toMatch(/^[a-z0-9-]{1,199}$/);
  });

  it('includes the numbers that WordPress adds to further uploads', () => {
    expect(markersOf(ID).map((slug) => slug.slice(36))).toEqual(['', '-2', '-3', '-4', '-5']);
  });
});
