/** Browsers disagree on some of these, and declare nothing for others; the ending is what the server can rely on. */
const BY_ENDING: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heic',
  mp4: 'video/mp4',
};

/** For file inputs: endings beside types, because some systems know no type for HEIC. */
export const ACCEPTED_FILES = 'image/jpeg,image/png,image/webp,image/heic,video/mp4,.heic,.heif';

export function mediaTypeOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return BY_ENDING[ending] ?? (type || 'application/octet-stream');
}
