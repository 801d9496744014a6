import type { SupportedMime } from '../media/media.types.js';

/** The first is added where none of them is there. */
const ENDINGS: Record<SupportedMime, readonly string[]> = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/heic': ['heic', 'heif', 'hif'],
  'video/mp4': ['mp4', 'm4v'],
};

/** Signs that turn the reading direction, so that "gpj.exe" can look like "exe.jpg". */
const DIRECTION_SIGNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * The original file name, made safe to be saved under: one name and no path, and an ending that says what the bytes were verified
 * to be. What follows a picture's end may be a program; saved as `.hta` it would be run.
 */
export function downloadName(originalFilename: string, mimeType: SupportedMime): string {
  const name = originalFilename.replace(DIRECTION_SIGNS, '').replace(/[\\/]/g, '_').trim();
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  const endings = ENDINGS[mimeType];
  if (ending !== undefined && endings.includes(ending) && name.length > ending.length + 1) return name;
  return `${name.replace(/[. ]+$/, '') || 'file'}.${endings[0]}`;
}
