/** An evenly spread sample of the cases for `npm test`; all of them with ALL_CASES, as in the long test runs. */
export function sampleCases<T>(cases: readonly T[], count: number): T[] {
  if (process.env['ALL_CASES'] === 'true' || cases.length <= count) return [...cases];
  return Array.from({ length: count }, (_, index) => cases[Math.floor((index * cases.length) / count)]!);
}
