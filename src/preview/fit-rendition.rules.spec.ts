import { SURFACES } from '../database/entities/asset.entity.js';
import { SHAPES } from '../fitness/publishing-limits.js';
import { renditionKey } from '../storage/object-key.js';
import { fitRendition, isOldFit } from './fit-rendition.rules.js';

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
