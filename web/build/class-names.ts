import { createHash } from 'node:crypto';
import { basename } from 'node:path';

const namesOf = new Map<string, string[]>();
const fileOf = new Map<string, string>();

/** Short class names for the build: the file's hash and a number. Long ones would make the first page 1 % larger. */
export function shortClassName(name: string, file: string): string {
  const names = namesOf.get(file) ?? [];
  namesOf.set(file, names);
  if (!names.includes(name)) names.push(name);
  return `_${hashOf(file)}${names.indexOf(name).toString(36)}`;
}

function hashOf(file: string): string {
  const hash = createHash('sha256').update(basename(file)).digest('hex').slice(0, 4);
  const other = fileOf.get(hash) ?? file;
  if (other !== file)
    throw new Error(`${file} and ${other} would share their class names: rename one of them`);
  fileOf.set(hash, file);
  return hash;
}
