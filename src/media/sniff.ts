import { fileType, isVideo, SUPPORTED_TYPES, type SupportedMime } from './file-types.js';
import { MediaError } from './media.types.js';

/** These share the container and sometimes list `isom` or `mp42`, but their major brand means something else. */
const FOREIGN_MAJORS = ['qt', 'crx', 'jp2', 'jpx', 'jpm', 'mjp2'];

/** Long enough for every magic number and for an `ftyp` box with many brands. */
export const HEAD_BYTES = 1_024;

/** Throws `content_mismatch` if the first bytes of a file do not match the declared type. */
export function requireType(head: Buffer, declared: SupportedMime): void {
  if (head.length === 0) throw new MediaError('content_mismatch', 'The file is empty.');
  const found = sniff(head);
  if (found === declared) return;
  const looks = found === null ? '' : ` It looks like ${fileType(found).name}.`;
  throw new MediaError('content_mismatch', `The file content is not ${fileType(declared).name}.${looks}`);
}

/** Names a type by its magic bytes only; `image/heic` here still means any HEIF. */
export function sniff(head: Buffer): SupportedMime | null {
  return SUPPORTED_TYPES.find((type) => startsLike(type, head)) ?? typeByBrands(brandsOf(head));
}

function startsLike(type: SupportedMime, head: Buffer): boolean {
  const { signature } = fileType(type);
  if (!('bytes' in signature)) return false;
  return signature.bytes.every(([offset, hex]) => {
    const expected = Buffer.from(hex, 'hex');
    return head.subarray(offset, offset + expected.length).equals(expected);
  });
}

/** The major brand first; empty unless the file is an ISO base media file. */
function brandsOf(head: Buffer): string[] {
  if (text(head, 4, 8) !== 'ftyp') return [];
  const end = head.readUInt32BE(0);
  if (end < 16 || end > head.length) return [];
  const brands = [text(head, 8, 12).trimEnd()];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(text(head, at, at + 4).trimEnd());
  return brands;
}

/** The major brand decides. Where only the others are known, a file that could be either counts as a video. */
function typeByBrands([major, ...others]: string[]): SupportedMime | null {
  if (major === undefined) return null;
  const byMajor = typesWith(major)[0];
  if (byMajor || FOREIGN_MAJORS.includes(major)) return byMajor ?? null;
  const types = others.flatMap(typesWith);
  return types.find(isVideo) ?? types[0] ?? null;
}

function typesWith(brand: string): SupportedMime[] {
  return SUPPORTED_TYPES.filter((type) => {
    const { signature } = fileType(type);
    return 'brands' in signature && signature.brands.split(' ').includes(brand);
  });
}

function text(head: Buffer, start: number, end: number): string {
  return head.toString('latin1', start, end);
}
