const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** The order of names in lists, as in the API: numbers by their value, and without regard to case. */
export function compareNaturally(a: string, b: string): number {
  return collator.compare(a, b);
}
