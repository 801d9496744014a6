import type { Sharp } from 'sharp';

/** The transformation that turns an upright picture into the stored form of each EXIF orientation. */
const STORED: Record<number, (upright: Sharp) => Sharp> = {
  1: (upright) => upright,
  2: (upright) => upright.flop(),
  3: (upright) => upright.rotate(180),
  4: (upright) => upright.flip(),
  5: (upright) => upright.flop().rotate(270),
  6: (upright) => upright.rotate(270),
  7: (upright) => upright.flop().rotate(90),
  8: (upright) => upright.rotate(90),
};

export const ORIENTATIONS = Object.keys(STORED).map(Number);

export function storedAs(orientation: number, upright: Sharp): Sharp {
  const store = STORED[orientation];
  if (!store) throw new Error(`There is no orientation ${orientation}.`);
  return store(upright);
}
