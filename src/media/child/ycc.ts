import { sizeWithin } from './pixels.js';
import { PLACEHOLDER_SIDE } from './placeholder.js';

/** One component of a picture. More than 8 bits use two bytes, little-endian. */
export interface Plane {
  width: number;
  height: number;
  stride: number;
  bits: number;
  data: Uint8Array;
}

export interface RgbaPicture {
  width: number;
  height: number;
  rgba: Uint8Array;
}

/** Averages planes down to placeholder size and converts them to RGBA (BT.601, full range, as phones write it). */
export function shrinkYcc(planes: (Plane | null)[]): RgbaPicture {
  const [luma, blue, red] = planes;
  if (!luma) throw new Error('no luma plane');
  const size = sizeWithin(luma, PLACEHOLDER_SIDE);
  const y = average(luma, size.width, size.height);
  const cb = blue ? average(blue, size.width, size.height) : null;
  const cr = red ? average(red, size.width, size.height) : null;
  const rgba = new Uint8Array(size.width * size.height * 4);
  for (let index = 0; index < y.length; index += 1) {
    const l = y[index] ?? 0;
    const b = (cb?.[index] ?? 128) - 128;
    const r = (cr?.[index] ?? 128) - 128;
    rgba[index * 4] = clamp(l + 1.402 * r);
    rgba[index * 4 + 1] = clamp(l - 0.344136 * b - 0.714136 * r);
    rgba[index * 4 + 2] = clamp(l + 1.772 * b);
    rgba[index * 4 + 3] = 255;
  }
  return { ...size, rgba };
}

/** Each target pixel is the mean of its source pixels, in 8 bits. */
function average(plane: Plane, width: number, height: number): Float64Array {
  const wide = plane.bits > 8;
  const scale = 2 ** (8 - plane.bits);
  const means = new Float64Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const [top, bottom] = span(row, height, plane.height);
    for (let column = 0; column < width; column += 1) {
      const [left, right] = span(column, width, plane.width);
      let sum = 0;
      for (let y = top; y < bottom; y += 1) {
        const line = y * plane.stride;
        for (let x = left; x < right; x += 1) {
          sum += wide
            ? (plane.data[line + 2 * x] ?? 0) + 256 * (plane.data[line + 2 * x + 1] ?? 0)
            : (plane.data[line + x] ?? 0);
        }
      }
      means[row * width + column] = (sum * scale) / ((bottom - top) * (right - left));
    }
  }
  return means;
}

/** At least one source pixel, even if the plane is smaller than the target. */
function span(index: number, count: number, length: number): [number, number] {
  const start = Math.min(Math.floor((index * length) / count), length - 1);
  return [start, Math.max(start + 1, Math.floor(((index + 1) * length) / count))];
}

function clamp(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)));
}
