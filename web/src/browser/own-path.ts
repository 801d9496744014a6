/**
 * The normalized path, query and fragment of an address on our own origin; undefined for any other address. Everything
 * that a browser would resolve to another host is rejected, such as `//host`, `/\host` and `/.//host`.
 */
export function ownPath(address: string | undefined, origin: string): string | undefined {
  if (!address?.startsWith('/') || !URL.canParse(address, origin)) return undefined;
  const url = new URL(address, origin);
  if (url.origin !== origin || url.pathname.startsWith('//')) return undefined;
  return url.pathname + url.search + url.hash;
}
