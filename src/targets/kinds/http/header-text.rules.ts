import { singleLine } from '../../plain-line.rules.js';

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
