import type { SupportedMime } from '../../media/media.types.js';

const MAX_STEM_LENGTH = 80;
const ENDINGS: Record<SupportedMime, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'video/mp4': 'mp4',
};
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
  '[': '&#91;',
  ']': '&#93;',
};

/** For sites that store HTML unchanged: the text is displayed as written, and nothing in it is ever executed. */
export function escapeHtml(text: string): string {
  return withoutControls(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** Like `escapeHtml`, for texts in which WordPress also expands shortcodes. */
export function escapeContent(text: string): string {
  return withoutControls(text).replace(/[&<>"'[\]]/g, (character) => ENTITIES[character]!);
}

/** One line of plain text. */
export function singleLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, ' ').trim();
}

/** Keeps line breaks. */
function withoutControls(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, ' ');
}

/** An ASCII file name from the first of these texts that contains letters or digits. */
export function fileNameOf(texts: readonly string[], mimeType: SupportedMime): string {
  const stem = texts.map(asciiStem).find((candidate) => candidate !== '') ?? 'asset';
  return `${stem}.${ENDINGS[mimeType]}`;
}

/** Letters of other scripts are removed; letters with diacritics lose them. */
function asciiStem(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/ß/g, 'ss')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_STEM_LENGTH)
    .replace(/-+$/, '');
}

/** Like the sizes in the pages: 1 MB is a million bytes. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Text for a header: percent-encoded UTF-8, truncated between characters so that servers accept the header. */
export function headerText(text: string, maxBytes: number): string {
  let encoded = '';
  for (const character of singleLine(text)) {
    const next = encodeURIComponent(character);
    if (encoded.length + next.length > maxBytes) break;
    encoded += next;
  }
  return encoded;
}
