/** Longer numbers are compared as text. */
const DIGITS = 16;

const MAX_LENGTH = 500;

/** Orders texts as people do: 1, 2, 10, without regard to case and accents. The function `natural_key` of the database returns the same. */
export function naturalKey(text: string): string {
  const folded = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    // One character at a time: Σ becomes σ at the end of a word too, as it does in Postgres.
    .replace(/\p{Lu}/gu, (letter) => letter.toLowerCase());
  const key = folded.replace(/[0-9]+/g, (digits) => digits.replace(/^0+/, '').padStart(DIGITS, '0'));
  return key.length <= MAX_LENGTH ? key : [...key].slice(0, MAX_LENGTH).join('');
}

export function inNaturalOrder<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, name: nameOf(item), key: naturalKey(nameOf(item)) }))
    .sort((a, b) => compare(a.key, b.key) || compare(a.name, b.name))
    .map(({ item }) => item);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
