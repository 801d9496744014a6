import type { Region, Sharp } from 'sharp';
import type { FitOutput, Rendered } from '../media.types.js';
import { disclosurePacket } from './disclosure.js';
import sharp from './sharp.js';
import type { Upright } from './upright.js';

/** Tried in this order until the file is small enough. */
const QUALITIES = [85, 75, 65, 50, 35, 20];

/** A JPEG for publishing: with an exact size, cropped to its ratio. Of all metadata, only the disclosure of generated pictures is kept. */
export async function writeFit(picture: Upright, output: FitOutput): Promise<Omit<Rendered, 'name'>> {
  const { width, height, maxBytes } = output;
  const { data, info } = await cropped(picture, output)
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const open = () => sharp(data, { raw: { width, height, channels: info.channels } });
  let bytes: Buffer = Buffer.alloc(0);
  for (const quality of QUALITIES) {
    const jpeg = open().jpeg({ quality });
    const { digitalSourceType } = picture;
    bytes = await (digitalSourceType ? jpeg.withXmp(disclosurePacket(digitalSourceType)) : jpeg).toBuffer();
    if (bytes.length <= maxBytes) break;
  }
  return { width, height, bytes };
}

function cropped(picture: Upright, output: FitOutput): Sharp {
  const { width, height, focus } = output;
  const region = regionOf(picture, output);
  const isWhole = picture.width - region.width < 2 && picture.height - region.height < 2;
  if (isWhole) return picture.open().resize(width, height, { fit: 'fill' });
  if (focus) return picture.open().extract(region).resize(width, height, { fit: 'fill' });
  return picture.open().resize(width, height, { fit: 'cover', position: sharp.strategy.attention });
}

/** The largest part of the picture with the ratio of the output, centred on the focus as far as the edges allow. */
function regionOf(
  picture: { width: number; height: number },
  { width, height, focus }: Pick<FitOutput, 'width' | 'height' | 'focus'>,
): Region {
  const region = {
    width: Math.min(picture.width, Math.max(1, Math.round((picture.height * width) / height))),
    height: Math.min(picture.height, Math.max(1, Math.round((picture.width * height) / width))),
  };
  const start = (length: number, part: number, at: number) =>
    Math.min(Math.max(Math.round(length * at - part / 2), 0), length - part);
  return {
    ...region,
    left: start(picture.width, region.width, focus?.x ?? 0.5),
    top: start(picture.height, region.height, focus?.y ?? 0.5),
  };
}
