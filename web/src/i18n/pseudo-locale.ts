const ACCENTED: Readonly<Record<string, string>> = {
  a: 'á',
  b: 'ƀ',
  c: 'ç',
  d: 'ð',
  e: 'é',
  f: 'ƒ',
  g: 'ĝ',
  h: 'ĥ',
  i: 'î',
  j: 'ĵ',
  k: 'ķ',
  l: 'ļ',
  m: 'ɱ',
  n: 'ñ',
  o: 'ö',
  p: 'þ',
  q: 'ǫ',
  r: 'ŕ',
  s: 'š',
  t: 'ţ',
  u: 'û',
  v: 'ṽ',
  w: 'ŵ',
  x: 'ẋ',
  y: 'ý',
  z: 'ž',
  A: 'Á',
  B: 'Ɓ',
  C: 'Ç',
  D: 'Ð',
  E: 'É',
  F: 'Ƒ',
  G: 'Ĝ',
  H: 'Ĥ',
  I: 'Î',
  J: 'Ĵ',
  K: 'Ķ',
  L: 'Ļ',
  M: 'Ṁ',
  N: 'Ñ',
  O: 'Ö',
  P: 'Þ',
  Q: 'Ǫ',
  R: 'Ŕ',
  S: 'Š',
  T: 'Ţ',
  U: 'Û',
  V: 'Ṽ',
  W: 'Ŵ',
  X: 'Ẋ',
  Y: 'Ý',
  Z: 'Ž',
};

/**
 * Accented and a third longer, between brackets: a text that stays plain is not in the catalogue,
 * and a bracket that is missing was cut off. Arguments, plural rules and tags stay as they are.
 */
export function pseudoLocalized<Catalogue>(catalogue: Catalogue): Catalogue {
  if (typeof catalogue === 'string') return pseudoText(catalogue) as Catalogue;
  return Object.fromEntries(
    Object.entries(catalogue as Record<string, unknown>).map(([key, value]) => [key, pseudoLocalized(value)]),
  ) as Catalogue;
}

function pseudoText(text: string): string {
  const letters = text.replace(/\{[^}]*\}/g, '').length;
  return `[${accent(text)}${'·'.repeat(Math.ceil(letters / 3))}]`;
}

function accent(text: string): string {
  let result = '';
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? '';
    if (character === '{') {
      const end = endOfArgument(text, index);
      result += argument(text.slice(index, end));
      index = end - 1;
    } else if (character === '<') {
      const end = text.indexOf('>', index) + 1;
      result += text.slice(index, end);
      index = end - 1;
    } else result += ACCENTED[character] ?? character;
  }
  return result;
}

function endOfArgument(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    if (text[index] === '{') depth++;
    if (text[index] === '}' && --depth === 0) return index + 1;
  }
  return text.length;
}

/** `{name}` stays; in `{count, plural, one {…} other {…}}` only the branches change. */
function argument(source: string): string {
  const inner = source.slice(1, -1);
  const branches = inner.indexOf('{');
  if (branches < 0) return source;
  return `{${inner.replace(/\{([^{}]*)\}/g, (_whole, branch: string) => `{${accent(branch)}}`)}}`;
}
