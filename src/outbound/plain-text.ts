import type { Conceal } from './conceal.js';

const MAX_LENGTH = 200;
/** Enough for the title and the first words of a page. Limits the time that the patterns below can take. */
const MAX_READ = 8_000;

const ENTITIES = new Map([
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

/** A text of a server's response as one short line without HTML and without our credentials, which can be shown and stored. */
export function plainText(
  response: string | Buffer,
  { conceal }: { readonly conceal: Conceal },
  maxLength = MAX_LENGTH,
): string {
  const text = response
    .slice(0, MAX_READ)
    .toString()
    .toWellFormed()
    .replace(/<(script|style)\b[^]*?(<\/\1\s*>|$)/gi, ' ')
    .replace(/<[^<>]*(>|$)/g, ' ')
    .replace(/&#(\d{1,7});/g, (_match, code: string) => characterOf(Number(code)))
    .replace(/&#x([\da-f]{1,6});/gi, (_match, code: string) => characterOf(parseInt(code, 16)))
    .replace(/&(\w{2,6});/g, (_match, name: string) => ENTITIES.get(name) ?? ' ')
    // Control, format and bidi characters could change how the surrounding text is displayed.
    .replace(/[<>\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  // Before it is truncated, which could leave a part that is no longer recognized.
  const shown = conceal(text);
  const characters = [...shown];
  return characters.length <= maxLength ? shown : `${characters.slice(0, maxLength - 1).join('')}…`;
}

function characterOf(code: number): string {
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    ? String.fromCodePoint(code)
    : ' ';
}
