import { surfacesIn, withSurface } from './surface-choice';

describe('The choice of where something may be used', () => {
  it('begins with everywhere', () => {
    expect(surfacesIn([])).toEqual(['website', 'social', 'gbp']);
  });

  it('keeps the others when one is switched off', () => {
    expect(withSurface([], 'website', false)).toEqual(['social', 'gbp']);
    expect(withSurface(['social', 'gbp'], 'gbp', false)).toEqual(['social']);
  });

  it('is the empty list again when all are on', () => {
    expect(withSurface(['gbp', 'social'], 'website', true)).toEqual([]);
    expect(withSurface(['website', 'social', 'gbp'], 'social', true)).toEqual([]);
  });

  it('can also begin with nothing', () => {
    expect(surfacesIn(null)).toEqual([]);
    expect(withSurface(null, 'social', true)).toEqual(['social']);
  });

  it('does not switch off the last one, which would mean everywhere', () => {
    expect(withSurface(['social'], 'social', false)).toBeNull();
  });
});
