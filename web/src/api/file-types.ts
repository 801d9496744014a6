import type { MimeType } from './values';

interface FileType {
  readonly name: string;
  /** Browsers disagree about the types of some files and declare nothing for others, so the extension determines the type. */
  readonly extensions: readonly string[];
  /** Logos and cut-outs are shown completely; photographs fill their card. */
  readonly isShownWhole?: boolean;
}

/** In the order of the pages. The compiler requires every type that the API accepts. */
const FILE_TYPES: Record<MimeType, FileType> = {
  'image/jpeg': { name: 'JPEG', extensions: ['jpg', 'jpeg'] },
  'image/png': { name: 'PNG', extensions: ['png'], isShownWhole: true },
  'image/webp': { name: 'WebP', extensions: ['webp'] },
  'image/heic': { name: 'HEIC', extensions: ['heic', 'heif'] },
  'video/mp4': { name: 'MP4', extensions: ['mp4'] },
};

export const MIME_TYPES = Object.keys(FILE_TYPES) as readonly MimeType[];

/** For file inputs: extensions in addition to types, because some systems do not know all types. */
export const ACCEPTED_FILES = MIME_TYPES.flatMap((type) => [
  type,
  ...FILE_TYPES[type].extensions.map((extension) => `.${extension}`),
]).join(',');

export function fileTypeName(mimeType: string): string {
  return isMimeType(mimeType) ? FILE_TYPES[mimeType].name : mimeType;
}

export function isVideo({ mimeType }: { mimeType: string }): boolean {
  return mimeType.startsWith('video/');
}

export function isShownWhole({ mimeType }: { mimeType: MimeType }): boolean {
  return FILE_TYPES[mimeType].isShownWhole === true;
}

export function mediaTypeOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const known = MIME_TYPES.find((each) => FILE_TYPES[each].extensions.includes(extension));
  return known ?? (type || 'application/octet-stream');
}

function isMimeType(value: string): value is MimeType {
  return Object.hasOwn(FILE_TYPES, value);
}
