import type { FocalPoint } from '../../library/asset-types';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where a crop lies in its picture, as an `object-position`: centred on the focal point as far as the edges allow. */
export function cropPosition(picture: Size, crop: Size, focalPoint: FocalPoint): string {
  const width = Math.min(picture.width, (picture.height * crop.width) / crop.height);
  const height = Math.min(picture.height, (picture.width * crop.height) / crop.width);
  return `${place(picture.width, width, focalPoint.x)}% ${place(picture.height, height, focalPoint.y)}%`;
}

/** 0 at the start, 100 at the end. */
function place(length: number, part: number, at: number): number {
  const rest = length - part;
  if (rest <= 0) return 50;
  const start = Math.min(Math.max(length * at - part / 2, 0), rest);
  return Math.round((start / rest) * 1000) / 10;
}
