/** What the embedding page receives. */
export type PickerMessage =
  | { readonly type: 'client-asset-library:picked'; readonly assetRefs: readonly string[] }
  | { readonly type: 'client-asset-library:cancelled' };

/**
 * The origin of the page that shows us in a frame; null outside of one. `frame-ancestors` lets only the configured origins do that, so
 * whatever the browser says here is one of them. A page that hides its address names it with `?origin=`; a wrong name reaches nobody.
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
