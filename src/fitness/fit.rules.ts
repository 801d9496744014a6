import type { Surface } from '../database/entities/asset.entity.js';
import { FIT_TARGETS, type FitShape, type FitTarget, SHAPE_RATIOS } from './publishing-limits.js';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of a surface's `fit` rendition: with the right aspect ratio, and never larger than the original. */
export function fitSize(original: Size, surface: Surface, shape: FitShape): Size {
  const target = FIT_TARGETS[surface];
  const ratios = ratiosOf(target, shape);
  const wanted = shape === 'original' ? original.width / original.height : SHAPE_RATIOS[shape];
  const ratio = Math.min(Math.max(wanted, ratios.min), ratios.max);
  const crop = cropTo(original, ratio);
  if (target.maxLongerSide !== null) return within(crop, ratio, target.maxLongerSide);
  // A panorama is kept wider than usual if it would otherwise not be high enough.
  const width = Math.min(crop.width, Math.max(target.width!, Math.ceil(target.minHeight * ratio)));
  return { width, height: heightFor(width, ratio, ratios, original.height) };
}

/** Whether the original has enough pixels, because images are never enlarged. */
export function isLargeEnough(original: Size, surface: Surface, shape: FitShape): boolean {
  const { width, height } = fitSize(original, surface, shape);
  const { minWidth, minHeight } = FIT_TARGETS[surface];
  return width >= minWidth && height >= minHeight;
}

interface Ratios {
  readonly min: number;
  readonly max: number;
}

/** Rounding to whole pixels must not exceed them. A story is taller than the feeds of social networks allow. */
function ratiosOf(target: FitTarget, shape: FitShape): Ratios {
  if (shape === 'original') return { min: target.minRatio, max: target.maxRatio };
  return { min: Math.min(SHAPE_RATIOS.portrait, SHAPE_RATIOS[shape]), max: SHAPE_RATIOS.landscape };
}

/** The largest part of the original with this ratio. */
function cropTo({ width, height }: Size, ratio: number): Size {
  return width / height > ratio
    ? { width: Math.max(1, Math.floor(height * ratio + EPSILON)), height }
    : { width, height: Math.max(1, Math.floor(width / ratio + EPSILON)) };
}

/** Prevents losing a pixel to floating-point rounding. */
const EPSILON = 1e-6;

function within(crop: Size, ratio: number, side: number): Size {
  if (crop.width >= crop.height) {
    const width = Math.min(side, crop.width);
    return { width, height: clamp(Math.round(width / ratio), crop.height) };
  }
  const height = Math.min(side, crop.height);
  return { width: clamp(Math.round(height * ratio), crop.width), height };
}

/** Rounded so that the ratio stays within its limits: at 1.91:1, a width of 1080 px needs a height of 566 px, not 565. */
function heightFor(width: number, ratio: number, ratios: Ratios, max: number): number {
  const nearest = Math.round(width / ratio);
  const lowest = Math.ceil(width / ratios.max - EPSILON);
  const highest = ratios.min === 0 ? Infinity : Math.floor(width / ratios.min + EPSILON);
  return clamp(Math.min(Math.max(nearest, lowest), highest), max);
}

function clamp(length: number, max: number): number {
  return Math.max(1, Math.min(length, max));
}
