import { MediaError, type DecodeLimits, type Rendered, type RenderOutput } from '../media.types.js';
import { readBoxHeader } from './boxes.js';
import type { ByteSource } from './byte-source.js';
import { digitalSourceTypeIn } from './disclosure.js';
import { takenAtFromExif } from './exif.js';
import type { Inspected } from './inspected.js';
import { type HeifStructure, readHeifMeta } from './heif-structure.js';
import { decodeHeic, heicToTiff } from './libheif.js';
import sharp from './sharp.js';
import { writeOutputs } from './write-outputs.js';

const MAX_META_BYTES = 16 * 1024 * 1024;
const MAX_METADATA_BYTES = 1024 * 1024;
const MAX_TOP_BOXES = 64;

export async function inspectHeic(source: ByteSource, limits: DecodeLimits): Promise<Inspected> {
  const structure = await openHeic(source, limits);
  const takenAt = takenAtFromExif(await readExif(source, structure))?.toISOString() ?? null;
  const digitalSourceType = await readSourceType(source, structure);
  const details = digitalSourceType === null ? {} : { digitalSourceType };
  const bytes = await source.read(0, source.size);
  const facts = { ...decodeHeic(bytes, limits.maxPixels), durationMs: null, takenAt };
  return { facts, details };
}

export async function renderHeic(
  source: ByteSource,
  outputs: RenderOutput[],
  limits: DecodeLimits,
): Promise<Rendered[]> {
  const structure = await openHeic(source, limits);
  const { tiff, ...size } = heicToTiff(await source.read(0, source.size), limits.maxPixels);
  const digitalSourceType = await readSourceType(source, structure);
  return writeOutputs({ ...size, digitalSourceType, open: () => sharp(tiff) }, outputs);
}

/** Brands do not identify the codec (HEVC and AV1 files both come as `mif1`), but the primary item does. */
async function openHeic(source: ByteSource, limits: DecodeLimits): Promise<HeifStructure> {
  const structure = await readStructure(source);
  const [codec] = structure.codecs;
  if (structure.codecs.size !== 1 || codec !== 'hvc1') {
    throw new MediaError(
      'content_mismatch',
      'The file content is not a HEIC image: its picture is not encoded with HEVC.',
    );
  }
  if (structure.parts.some((part) => part.end > source.size))
    throw new MediaError('media_invalid', 'The image is truncated: its end is missing.');
  if (source.size > limits.maxHeicBytes) {
    const limit = Math.floor(limits.maxHeicBytes / 1024 / 1024);
    throw new MediaError('media_invalid', `HEIC files over ${limit} MB cannot be checked.`);
  }
  return structure;
}

async function readStructure(source: ByteSource): Promise<HeifStructure> {
  const meta = await findMeta(source);
  try {
    return readHeifMeta(meta);
  } catch {
    throw damaged();
  }
}

async function findMeta(source: ByteSource): Promise<Buffer> {
  for (let at = 0, boxes = 0; boxes < MAX_TOP_BOXES; boxes += 1) {
    const header = readBoxHeader(await source.read(at, 16), 0);
    if (!header) break;
    const end = header.size === 0 ? source.size : at + header.size;
    if (header.type === 'meta') {
      if (end > source.size || end - at > MAX_META_BYTES) break;
      return source.read(at + header.headerSize, end - at - header.headerSize);
    }
    at = end;
  }
  throw damaged();
}

async function readSourceType(source: ByteSource, { xmp }: HeifStructure): Promise<string | null> {
  if (!xmp || xmp.end > source.size || xmp.end - xmp.offset > MAX_METADATA_BYTES) return null;
  return digitalSourceTypeIn(await source.read(xmp.offset, xmp.end - xmp.offset));
}

/** The item begins with the offset of its TIFF header. */
async function readExif(source: ByteSource, { exif }: HeifStructure): Promise<Buffer | null> {
  if (!exif || exif.end - exif.offset > MAX_METADATA_BYTES) return null;
  const item = await source.read(exif.offset, exif.end - exif.offset);
  return item.length < 8 ? null : item.subarray(4 + item.readUInt32BE(0));
}

function damaged(): MediaError {
  return new MediaError('media_invalid', 'The image is damaged: its structure cannot be read.');
}
