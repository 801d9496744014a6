import { SURFACES } from '../database/entities/asset.entity.js';
import { type FitShape, SHAPES } from '../fitness/publishing-limits.js';
import { renditionKey } from '../storage/object-key.js';
import { fitFileName, fitRendition, isOldFit } from './fit-rendition.rules.js';

const at = (focalPoint: { x: number; y: number } | null) => ({ width: 4000, height: 3000, focalPoint });
const id = '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10';

describe('the name of a fit rendition', () => {
  it('is a valid key, and differs with surface, shape and focal point', () => {
    const points = [null, { x: 0, y: 0 }, { x: 1, y: 1 }, { x: 0.123456, y: 0.5 }, { x: 0.1, y: 0.5 }];
    const names = points.flatMap((point) =>
      SURFACES.flatMap((surface) => SHAPES.map((shape) => fitRendition(at(point), surface, shape).name)),
    );
    expect(new Set(names).size).toBe(points.length * SURFACES.length * SHAPES.length);
    for (const name of names) expect(renditionKey('demo', id, name)).toContain(name);
  });

  it('does not change for stored files', () => {
    const nameOf = (shape: FitShape) => fitRendition(at(null), 'social', shape).name;
    expect(SHAPES.map(nameOf)).toEqual([
      'fit-social-original-1495a100.jpeg',
      'fit-social-square-1495a100.jpeg',
      'fit-social-portrait-1495a100.jpeg',
      'fit-social-landscape-1495a100.jpeg',
      'fit-social-story-ef47a867.jpeg',
    ]);
  });

  it('becomes old with another focal point or another target, and no other rendition does', () => {
    const { name } = fitRendition(at({ x: 0.25, y: 0.5 }), 'social', 'square');
    expect(isOldFit(name, at({ x: 0.25, y: 0.5 }))).toBe(false);
    expect(isOldFit(name, at({ x: 0.250001, y: 0.5 }))).toBe(false);
    expect(isOldFit(name, at({ x: 0.26, y: 0.5 }))).toBe(true);
    expect(isOldFit(name, at(null))).toBe(true);
    expect(isOldFit(fitRendition(at(null), 'gbp', 'original').name, at({ x: 0, y: 0 }))).toBe(true);
    expect(isOldFit('fit-social-square-00000000-2500-5000.jpeg', at({ x: 0.25, y: 0.5 }))).toBe(true);
    for (const other of ['thumb.webp', 'large.jpeg', 'display.jpeg'])
      expect(isOldFit(other, at(null))).toBe(false);
  });
});

describe('the file name of a fit rendition', () => {
  it.each([
    ['Our shop in autumn', 'Our shop in autumn-social-story-1080x1920.jpg'],
    ['Summer vs. winter.', 'Summer vs. winter.-social-story-1080x1920.jpg'],
    ['../a\\b\u202egpj.exe', '.._a_bgpj.exe-social-story-1080x1920.jpg'],
  ])('of "%s" is "%s"', (title, name) => {
    const rendition = fitRendition(at(null), 'social', 'story');
    expect(fitFileName(title, rendition, 'social', 'story')).toBe(name);
  });
});
