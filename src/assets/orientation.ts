export const ORIENTATIONS = ['landscape', 'portrait', 'square'] as const;
export type Orientation = (typeof ORIENTATIONS)[number];

/** How much the sides of a square may differ. */
const SQUARE = 1.02;

/** SQL for the orientation of an asset. `assets_by_shape` contains this expression. */
export const ORIENTATION = `CASE WHEN width > height * ${SQUARE} THEN 'landscape' WHEN height > width * ${SQUARE} THEN 'portrait' ELSE 'square' END`;
