/**
 * Characters that look like a letter of the protected names, `Social` and `Posted`, in either case: Cyrillic, Greek, Cherokee, Lisu,
 * Coptic, Armenian and others, small capitals, and a few digits and strokes. From Unicode's confusables (UTS 39). Compatibility forms such
 * as fullwidth or mathematical letters are not listed, because NFKC replaces them.
 */
const LOOK_ALIKES: Record<string, string> = {
  s: 'ЅѕՏꓢᏚꮪꚃƽꜱ𐊖𐐠𐑈𖼺',
  o: '0ОоΟοσՕօסهەہᴏᴑⲞⲟꓳ๐໐०੦૦௦౦೦൦০୦၀ဝഠଠჿᲿ〇ⵔ𐐄𐐬𐊒𐊫𐓂𐓪ዐㅇО߀',
  c: 'СсϹϲᏟꮯᴄⲤⲥꓚ𐊢𐌂𐐕𐐽ⅽ',
  // i and l look alike in many fonts, as do I, 1 and a vertical stroke.
  l: 'ilI1|ıɩɪǀӀӏІіΙιᎥꭵᏞꮮʟⲒⲓⲒⳐⳑꓲꓡԼլאוןןﺍاﺎߊⵏㅣ丨∣❘ᛁ𐌉𐌠𐊊𐐛𐑃𖼨ꙇ',
  a: 'АаΑαᎪꭺɑᴀⲀⲁꓮ𐊠𖽀⍺',
  p: 'РрΡρᏢꮲᴘⲢⲣꓑ𐊕',
  t: 'ТтΤτᎢꭲᴛⲦⲧꓔ𐊗𐊱𐌕𖼊',
  e: 'ЕеΕεᎬꭼҽᴇⲈⲉꓰ𐊆ℯ℮ⴹꬲ',
  d: 'ԁᎠꭰᏧᴅꓓꓒɗⅾ',
};

const LETTER_OF = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([letter, others]) =>
    [...others].map((other) => [other, letter] as const),
  ),
);

/** What a name looks like, as far as the letters above can tell. Names with the same skeleton are easily confused. */
export function skeletonOf(name: string): string {
  const replace = (text: string) =>
    Array.from(text, (character) => LETTER_OF.get(character) ?? character).join('');
  // Also before folding: a few look-alikes become something else in lower case or under NFKC.
  return replace(replace(name).normalize('NFKC').toLowerCase());
}
