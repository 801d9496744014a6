import type { SystemFolder } from '../database/entities/folder.entity.js';

/** The folders of the Social agent, made for every client (specification, section 2). */
export const SYSTEM_FOLDERS: readonly { key: SystemFolder; name: string; parent: SystemFolder | null }[] = [
  { key: 'social', name: 'Social', parent: null },
  { key: 'social_posted', name: 'Posted', parent: 'social' },
];

/** Two siblings with the same key have the same name: case, spaces, width and invisible characters do not tell them apart. */
export function nameKeyOf(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .trim();
}
