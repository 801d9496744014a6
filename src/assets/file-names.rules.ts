import { fileType, type SupportedMime } from '../media/file-types.js';

const MAX_BYTES = 255;
/** If more than this follows a dot, it is not an extension. */
const MAX_EXTENSION_BYTES = 20;

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
  return fit(withExtension(clean(originalFilename), mimeType));
}

/** The name of a download. Browsers replace what their system does not accept. */
export function downloadName(originalFilename: string, mimeType: SupportedMime): string {
  return withExtension(originalFilename.replace(DIRECTION_SIGNS, '').replace(/[\\/]/g, '_').trim(), mimeType);
}

/** The extension matches the verified type of the bytes: a JPEG can contain a script, which would run if it were saved as `.hta`. */
function withExtension(name: string, mimeType: SupportedMime): string {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  const { extensions } = fileType(mimeType);
  if (extension && extensions.includes(extension) && name.length > extension.length + 1) return name;
  return `${name.replace(/[.\s]+$/u, '') || 'file'}.${extensions[0]}`;
}

/** Splits a name before its extension. The stem is shortened, never within a character, to leave room for a suffix of this many bytes. */
export function splitName(name: string, suffixBytes: number): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.');
  const hasExtension = dot > 0 && Buffer.byteLength(name.slice(dot)) <= MAX_EXTENSION_BYTES;
  const extension = hasExtension ? name.slice(dot) : '';
  const stem = hasExtension ? name.slice(0, dot) : name;
  return { stem: cut(stem, MAX_BYTES - suffixBytes - Buffer.byteLength(extension)), extension };
}

/** The file name without its extension, if the rest is still a title. */
export function defaultTitle(originalFilename: string, maxLength: number): string {
  const name = originalFilename.trim();
  const withoutExtension = name.replace(/(?<=.)\.[^.\s]{1,10}$/u, '').trim();
  return [...(withoutExtension || name || 'Untitled')].slice(0, maxLength).join('');
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
  const { stem, extension } = splitName(RESERVED.test(name) ? `_${name}` : name, 0);
  return stem + extension;
}

function cut(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end).replace(/[.\s]+$/u, '');
}
