/** Browsers disagree about some of these and declare nothing for others, so the extension determines the type. */
const BY_ENDING: ReadonlyMap<string, string> = new Map([
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
  ['heic', 'image/heic'],
  ['heif', 'image/heic'],
  ['mp4', 'video/mp4'],
]);

/** For file inputs: extensions in addition to types, because some systems have no type for HEIC. */
export const ACCEPTED_FILES = 'image/jpeg,image/png,image/webp,image/heic,video/mp4,.heic,.heif';

export function mediaTypeOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return BY_ENDING.get(ending) ?? (type || 'application/octet-stream');
}
