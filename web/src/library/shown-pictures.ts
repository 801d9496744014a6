const KEPT = 2_000;
const shown = new Set<string>();

/** Remembers the URL of a picture that the page has loaded, so that another view can show it immediately. */
export function rememberShown(url: string): void {
  if (shown.size >= KEPT) shown.delete(shown.values().next().value!);
  shown.add(url);
}

export function wasShown(url: string): boolean {
  return shown.has(url);
}
