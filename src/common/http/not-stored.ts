/** The `Cache-Control` of everything but files, event streams and pages: no cache may keep what only this caller may see. */
export const NOT_STORED = 'private, no-store';
