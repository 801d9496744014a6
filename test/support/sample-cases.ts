/** As many of the cases as `npm test` has time for, evenly spread; all of them with ALL_CASES, as in the long runs. */
export function sampleCases<T>(cases: readonly T[], count: number): T[] {
  if (process.env['ALL_CASES'] === 'true' || cases.length <= count) return [...cases];
  return Array.from({ length: count }, (_, index) => cases[Math.floor((index * cases.length) / count)]!);
}
