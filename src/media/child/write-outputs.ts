import type { Channels, Sharp } from 'sharp';
import type { Rendered, RenderOutput, SmallPicture } from '../media.types.js';
import { sizeWithin } from './pixels.js';
import { writeFit } from './write-fit.js';
import { placeholderOf, PLACEHOLDER_SIDE } from './placeholder.js';
import sharp from './sharp.js';
import type { Upright } from './upright.js';

/** Above effort 2, a 640 px WebP takes half as long again for 3 % fewer bytes. */
const WEBP = { quality: 80, effort: 2 };
const JPEG = { quality: 82 };
/** The maximum side length of each format. */
const LONGEST = { webp: 16_383, jpeg: 65_500, png: 65_500 };

/** Encodes all outputs of one picture. */
export async function writeOutputs(picture: Upright, outputs: RenderOutput[]): Promise<Rendered[]> {
  const small = await smallerSource(picture, outputs);
  const rendered: Rendered[] = [];
  for (const output of outputs) rendered.push(await write(output.maxSide === null ? picture : small, output));
  return rendered;
}

/** Several sizes are made from one decoding, at the largest of them; a single one, or full size, directly from the file. */
async function smallerSource(picture: Upright, outputs: RenderOutput[]): Promise<Upright> {
  const sides = outputs.flatMap(({ maxSide }) => maxSide ?? []);
  const passes = sides.length + outputs.filter(({ placeholder, maxSide }) => placeholder && maxSide).length;
  if (passes < 2) return picture;
  const smaller = await shrink(picture, Math.max(...sides));
  return { ...picture, open: () => openPixels(smaller) };
}

export async function shrink(picture: Upright, side: number): Promise<SmallPicture> {
  const { data, info } = await fit(picture, side)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: info.channels, data };
}

export function openPixels({ data, width, height, channels }: SmallPicture): Sharp {
  return sharp(data, { raw: { width, height, channels: channels as Channels } });
}

async function write(picture: Upright, output: RenderOutput): Promise<Rendered> {
  const { name, format } = output;
  if (output.fit) return { name, ...(await writeFit(picture, output.fit)) };
  const fitted = fit(picture, Math.min(output.maxSide ?? Infinity, LONGEST[format]));
  const { data, info } = await encode(fitted, output).toBuffer({ resolveWithObject: true });
  const rendered = { name, width: info.width, height: info.height, bytes: data };
  return output.placeholder ? { ...rendered, placeholder: await thumbhash(picture) } : rendered;
}

function encode(picture: Sharp, { format, quality }: RenderOutput): Sharp {
  const chosen = quality === undefined ? {} : { quality };
  switch (format) {
    case 'webp':
      return picture.webp({ ...WEBP, ...chosen });
    case 'png':
      return picture.png();
    case 'jpeg':
      return picture.flatten({ background: '#ffffff' }).jpeg({ ...JPEG, ...chosen });
  }
}

/** Never enlarged. Without `keep…`, sharp removes all metadata, and sRGB needs no profile. */
function fit(picture: Upright, side: number): Sharp {
  // Computed from the size of the original, so that outputs requested together do not differ by a pixel.
  const { width, height } = sizeWithin(picture, side);
  return picture.open().resize(width, height, { fit: 'fill' }).toColourspace('srgb');
}

export async function thumbhash(picture: Upright): Promise<string> {
  const { data, info } = await fit(picture, PLACEHOLDER_SIDE)
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return placeholderOf(info.width, info.height, data);
}
