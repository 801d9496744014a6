import { thumbHashToDataURL } from 'thumbhash';

const KEPT = 2_000;
const made = new Map<string, string>();

/** The blurred picture of a thumbhash, as a CSS background. Cached; the oldest entries are dropped. */
export function placeholderOf(hash: string): string {
  const known = made.get(hash);
  if (known !== undefined) return known;
  const background = `url(${dataUrlOf(hash)})`;
  if (made.size >= KEPT) made.delete(made.keys().next().value!);
  made.set(hash, background);
  return background;
}

function dataUrlOf(hash: string): string {
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(hash), (letter) => letter.charCodeAt(0)));
  } catch {
    return '';
  }
}
