import { MediaError, type SupportedMime } from './media.types.js';

/**
 * MP4 is ISO BMFF with a brand of the MP4 family as the major or a compatible brand: a camera's own major brand (`XAVC`, `MSNV`, `3gp5`)
 * together with `isom` or `mp42` plays wherever MP4 does.
 */
const MP4_BRANDS = new Set(
  'isom iso2 iso3 iso4 iso5 iso6 iso7 iso8 iso9 isoa isob isoc mp41 mp42 mp71 avc1 av01 dash cmfc cmf2 cmff msdh MSNV M4V M4VH M4VP M4A f4v F4V XAVC mmp4'.split(
    ' ',
  ),
);

/** These share the container and sometimes list `isom` or `mp42`, but their major brand means something else. */
const FOREIGN_MAJORS = new Set(['qt', 'crx', 'jp2', 'jpx', 'jpm', 'mjp2']);

/** HEIF with any codec; `heif-structure.ts` determines which one. */
const HEIF_BRANDS = new Set(
  'heic heix heim heis hevc hevx hevm hevs mif1 mif2 msf1 avif avis avci avcs jpeg jpgs vvic'.split(' '),
);

const NAMES: Record<SupportedMime, string> = {
  'image/jpeg': 'a JPEG image',
  'image/png': 'a PNG image',
  'image/webp': 'a WebP image',
  'image/heic': 'a HEIC image',
  'video/mp4': 'an MP4 video',
};

/** Long enough for every magic number and for an `ftyp` box with many brands. */
export const HEAD_BYTES = 1_024;

/** Throws `content_mismatch` if the first bytes of a file do not match the declared type. */
export function requireType(head: Buffer, declared: SupportedMime): void {
  if (head.length === 0) throw new MediaError('content_mismatch', 'The file is empty.');
  const found = sniff(head);
  if (found === declared) return;
  const looks = found === null ? '' : ` They look like ${NAMES[found]}.`;
  throw new MediaError('content_mismatch', `The file content is not ${NAMES[declared]}.${looks}`);
}

/** Names a type by its magic bytes only; `image/heic` here still means any HEIF. */
export function sniff(head: Buffer): SupportedMime | null {
  if (head.length >= 3 && head.readUIntBE(0, 3) === 0xffd8ff) return 'image/jpeg';
  if (head.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'image/png';
  if (text(head, 0, 4) === 'RIFF' && text(head, 8, 12) === 'WEBP') return 'image/webp';
  if (text(head, 4, 8) === 'ftyp') return sniffBrands(head);
  return null;
}

function sniffBrands(head: Buffer): SupportedMime | null {
  const end = head.readUInt32BE(0);
  if (end < 16 || end > head.length) return null;
  const major = text(head, 8, 12).trimEnd();
  const brands = [major];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(text(head, at, at + 4).trimEnd());
  if (HEIF_BRANDS.has(major)) return 'image/heic';
  if (FOREIGN_MAJORS.has(major)) return null;
  if (brands.some((brand) => MP4_BRANDS.has(brand))) return 'video/mp4';
  return brands.some((brand) => HEIF_BRANDS.has(brand)) ? 'image/heic' : null;
}

function text(head: Buffer, start: number, end: number): string {
  return head.toString('latin1', start, end);
}
