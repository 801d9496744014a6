import type { SupportedMime } from '../media/media.types.js';

const MAX_BYTES = 255;
/** If more than this follows a dot, it is not an extension. */
const MAX_ENDING_BYTES = 20;

/** The first one is added if a name has none of them. */
const ENDINGS: Record<SupportedMime, readonly string[]> = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/heic': ['heic', 'heif', 'hif'],
  'video/mp4': ['mp4', 'm4v'],
};

/** These change the reading direction, so that "gpj.exe" can look like "exe.jpg". */
const DIRECTION_SIGNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Not allowed in file names on some systems. */
const UNSAFE = /[\p{Cc}<>:"/\\|?*]/gu;

/** Windows reserves these names for devices, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(\..*)?$/iu;

/** A name for a folder or an archive that every system accepts and that cannot leave its folder. */
export function safeName(name: string): string {
  return fit(clean(name) || '_');
}

/** The name of a file in an archive, which every system can extract. */
export function safeFileName(originalFilename: string, mimeType: SupportedMime): string {
  return fit(withEnding(clean(originalFilename), mimeType));
}

/** The name of a download. Browsers replace what their system does not accept. */
export function downloadName(originalFilename: string, mimeType: SupportedMime): string {
  return withEnding(originalFilename.replace(DIRECTION_SIGNS, '').replace(/[\\/]/g, '_').trim(), mimeType);
}

/** The extension matches the verified type of the bytes: a JPEG can contain a script, which would run if it were saved as `.hta`. */
function withEnding(name: string, mimeType: SupportedMime): string {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  const endings = ENDINGS[mimeType];
  if (ending !== undefined && endings.includes(ending) && name.length > ending.length + 1) return name;
  return `${name.replace(/[.\s]+$/u, '') || 'file'}.${endings[0]}`;
}

/** Splits a name before its extension. The stem is shortened, never within a character, to leave room for a suffix of this many bytes. */
export function splitName(name: string, suffixBytes: number): { stem: string; ending: string } {
  const dot = name.lastIndexOf('.');
  const hasEnding = dot > 0 && Buffer.byteLength(name.slice(dot)) <= MAX_ENDING_BYTES;
  const ending = hasEnding ? name.slice(dot) : '';
  const stem = hasEnding ? name.slice(0, dot) : name;
  return { stem: cut(stem, MAX_BYTES - suffixBytes - Buffer.byteLength(ending)), ending };
}

function clean(name: string): string {
  return name
    .normalize('NFC')
    .replace(DIRECTION_SIGNS, '')
    .replace(UNSAFE, '_')
    .trim()
    .replace(/[.\s]+$/u, '');
}

function fit(name: string): string {
  const { stem, ending } = splitName(RESERVED.test(name) ? `_${name}` : name, 0);
  return stem + ending;
}

function cut(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end).replace(/[.\s]+$/u, '');
}
