/** What the embedding page receives. */
export type PickerMessage =
  | { readonly type: 'client-asset-library:picked'; readonly assetRefs: readonly string[] }
  | { readonly type: 'client-asset-library:cancelled' }
  | { readonly type: 'client-asset-library:token-expired' };

/**
 * The origin of the page that embeds us; null if we are not in a frame. `frame-ancestors` only allows the configured
 * origins, so the browser's value is one of them. A page without a referrer passes its origin as `?origin=`; with a
 * wrong one, messages reach nobody.
 */
export function embeddingOrigin(named: string | undefined): string | null {
  if (window.parent === window) return null;
  const [ancestor] = [...(location.ancestorOrigins ?? [])];
  return originOf(ancestor) ?? originOf(document.referrer) ?? originOf(named);
}

export function tellParent(origin: string, message: PickerMessage): void {
  window.parent.postMessage(message, origin);
}

function originOf(url: string | undefined): string | null {
  if (!url || !URL.canParse(url)) return null;
  const { origin } = new URL(url);
  return origin === 'null' ? null : origin;
}
