/**
 * For a text that WordPress stores unchanged and displays as HTML: it is displayed as written, and nothing in it is ever executed. Quotes
 * need no escaping there.
 */
export function escapeHtml(text: string): string {
  return escapeEntities(withoutControls(text)).replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Like `escapeHtml`, for texts in which WordPress also expands shortcodes. */
export function escapeContent(text: string): string {
  return escapeShortcodes(escapeHtml(text));
}

/**
 * For an alternative text. WordPress itself removes tags from it and escapes it, quotes included, where it is displayed; but it expands
 * shortcodes, and takes everything after a `<` for a tag.
 */
export function escapeAltText(text: string): string {
  return escapeShortcodes(escapeEntities(singleLine(text))).replace(/<(?![a-z/!?])/gi, '&lt;');
}

/** An ampersand that would form an entity. */
function escapeEntities(text: string): string {
  return text.replace(/&(?=#|[a-z][a-z0-9]*;)/gi, '&amp;');
}

/** The name of a shortcode follows its bracket immediately. */
function escapeShortcodes(text: string): string {
  return text.replace(/\[(?!\s|\]|\d+\]|$)/g, '&#91;');
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
