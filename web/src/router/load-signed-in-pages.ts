/** The shell and the library, which the sign-in page does not need. */
export const loadSignedInPages = () => import('./signed-in-pages');

/** Preloads them. If that fails, the router retries when they are needed and reports the error. */
export function preloadSignedInPages(): void {
  loadSignedInPages().catch(() => undefined);
}
