import { createHash } from 'node:crypto';
import { downloadName } from '../assets/file-names.rules.js';
import { Problem } from '../common/errors/problem.js';
import { type Asset, type Surface, SURFACES } from '../database/entities/asset.entity.js';
import { fitSize, isLargeEnough } from '../fitness/fit.rules.js';
import { FIT_TARGETS, type FitShape, SHAPE_RATIOS, SHAPES } from '../fitness/publishing-limits.js';
import { isVideo } from '../media/file-types.js';
import { contentTypeOf, type Rendition } from './rendition.rules.js';

export type FitAsset = Pick<Asset, 'width' | 'height' | 'focalPoint'>;

/** Finer than a pixel of any accepted picture. */
const STEPS = 10_000;

/**
 * A JPEG within the publishing limits of a surface. Its name contains everything that determines its bytes: another focal point, or another
 * target in the rules, makes another rendition.
 */
export function fitRendition(asset: FitAsset, surface: Surface, shape: FitShape): Rendition {
  const focus = asset.focalPoint && {
    x: Math.round(asset.focalPoint.x * STEPS) / STEPS,
    y: Math.round(asset.focalPoint.y * STEPS) / STEPS,
  };
  return {
    name: nameOf(asset, surface, shape),
    maxSide: null,
    format: 'jpeg',
    fit: { ...fitSize(asset, surface, shape), focus, maxBytes: FIT_TARGETS[surface].maxBytes },
  };
}

/** Says what the file is for, when several are saved side by side. */
export function fitFileName(
  title: string,
  { fit, format }: Rendition,
  surface: Surface,
  shape: FitShape,
): string {
  return downloadName(`${title}-${surface}-${shape}-${fit!.width}x${fit!.height}`, contentTypeOf(format));
}

/** Throws if there can be no `fit` rendition: for videos, and for images that are too small for the surface. */
export function requireFittable(
  asset: FitAsset & Pick<Asset, 'mimeType'>,
  surface: Surface,
  shape: FitShape,
): void {
  if (isVideo(asset.mimeType))
    throw new Problem(
      'unsupported_media_type',
      'Videos are checked against the limits of a surface but not converted, so there is no "fit" rendition of a video.',
    );
  if (isLargeEnough(asset, surface, shape)) return;
  const { minWidth, minHeight } = FIT_TARGETS[surface];
  const least = minHeight > 1 ? `${minWidth} × ${minHeight} px` : `a width of ${minWidth} px`;
  throw new Problem(
    'media_invalid',
    `The image has ${asset.width} × ${asset.height} px. A "${shape}" rendition for ${surface} needs at least ${least}, and images are never enlarged.`,
  );
}

/** Whether it is a `fit` rendition that can no longer be requested. */
export function isOldFit(name: string, asset: FitAsset): boolean {
  if (!name.startsWith('fit-')) return false;
  return !SURFACES.some((surface) => SHAPES.some((shape) => nameOf(asset, surface, shape) === name));
}

function nameOf({ focalPoint }: FitAsset, surface: Surface, shape: FitShape): string {
  const steps = focalPoint && [focalPoint.x, focalPoint.y].map((part) => Math.round(part * STEPS));
  return `fit-${surface}-${shape}-${targetHash(surface, shape)}${steps ? `-${steps.join('-')}` : ''}.jpeg`;
}

/** Stories came later. Hashed apart, so that the stored files of the other shapes keep their names. */
const { story, ...shapes } = SHAPE_RATIOS;

function targetHash(surface: Surface, shape: FitShape): string {
  return hashOf({ target: FIT_TARGETS[surface], shapes: shape === 'story' ? { story } : shapes });
}

function hashOf(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8);
}
