import type { SystemFolder } from '../database/entities/folder.entity.js';

/** The folders of the Social agent, created for every client (specification, section 2). */
export const SYSTEM_FOLDERS: readonly { key: SystemFolder; name: string; parent: SystemFolder | null }[] = [
  { key: 'social', name: 'Social', parent: null },
  { key: 'social_posted', name: 'Posted', parent: 'social' },
];

export const MAX_NAME_LENGTH = 120;
export const MAX_DEPTH = 32;

/** Control characters, path separators, and marks that make text read in a different order than it is written. */
const FORBIDDEN = /[\p{Cc}/\\\u202A-\u202E\u2066-\u2069]/u;

/** Invisible characters that Unicode classifies neither as spaces nor as ignorable: Braille, musical and other blanks. */
const BLANK = /\u2800|\u{1D159}|\u{16FE4}|\u{13441}|\u{13442}/gu;

/** The name as it is stored. */
export function cleanName(name: string): string {
  return name.normalize('NFC').trim();
}

/** What is wrong with a clean name, or null. */
export function nameFault(name: string): string | null {
  const length = [...name].length;
  if (length === 0 || length > MAX_NAME_LENGTH) return `must have 1–${MAX_NAME_LENGTH} characters`;
  if (FORBIDDEN.test(name)) return 'must not contain /, \\, control or bidirectional formatting characters';
  if (name === '.' || name === '..') return 'must not be . or ..';
  if (nameKeyOf(name.replace(BLANK, '')) === '') return 'must contain something visible';
  return null;
}

/**
 * Siblings with the same key have the same name: case, spaces, width and invisible characters do not distinguish them. Uses upper case
 * first, so that `Straße` equals `STRASSE`.
 */
export function nameKeyOf(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Names for a restored folder, best first: `Autumn`, `Autumn (restored)`, `Autumn (restored 2)`, … */
export function* restoredNames(name: string): Generator<string> {
  for (let attempt = 0; ; attempt++) {
    const suffix = attempt === 0 ? '' : attempt === 1 ? ' (restored)' : ` (restored ${attempt})`;
    yield [...name]
      .slice(0, MAX_NAME_LENGTH - suffix.length)
      .join('')
      .trimEnd() + suffix;
  }
}
