/** One line of plain text. */
export function singleLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, ' ').trim();
}

/** Keeps line breaks. */
export function withoutControls(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, ' ');
}
