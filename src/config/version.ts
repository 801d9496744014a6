import { existsSync, readFileSync } from 'node:fs';

/** The version in package.json, which is the nearest one above both the sources and the built files. */
export const VERSION = readVersion(new URL('.', import.meta.url));

function readVersion(folder: URL): string {
  const file = new URL('package.json', folder);
  if (!existsSync(file)) return readVersion(new URL('..', folder));
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
