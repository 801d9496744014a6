const HOUR = '(?:[01]\\d|2[0-3])';
const ISO_TIME = new RegExp(
  `^(\\d{4}-\\d\\d-\\d\\d)(?:T${HOUR}:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?(?:Z|[+-]${HOUR}:\\d\\d))?$`,
);

const EARLIEST = Date.UTC(1970, 0);
const LATEST = Date.UTC(10_000, 0) - 1;

/**
 * A date (midnight UTC), or a date and time with its offset, in the years 1970 to 9999; null for everything else. `Date` alone would
 * take 30 February for 2 March, and years that Postgres does not have.
 */
export function parseIsoTime(text: string): Date | null {
  const day = ISO_TIME.exec(text)?.[1];
  if (day === undefined) return null;
  const midnight = new Date(day);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return null;
  const time = new Date(text);
  // False for an invalid date too.
  return time.getTime() >= EARLIEST && time.getTime() <= LATEST ? time : null;
}
