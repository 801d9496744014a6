import { singleLine, withoutControls } from '../../plain-line.rules.js';

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
