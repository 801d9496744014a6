/** The shell and the library, which the sign-in page does not need. */
export const loadSignedInPages = () => import('./signed-in-pages');

/** Loads them ahead. If that fails, the router tries again when they are needed, and reports it. */
export function preloadSignedInPages(): void {
  loadSignedInPages().catch(() => undefined);
}
