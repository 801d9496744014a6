const HOUR = '(?:[01]\\d|2[0-3])';
const ISO_TIME = new RegExp(
  `^(\\d{4}-\\d\\d-\\d\\d)(?:T${HOUR}:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?(?:Z|[+-]${HOUR}:\\d\\d))?$`,
);

const EARLIEST = Date.UTC(1970, 0);
const LATEST = Date.UTC(10_000, 0) - 1;

/**
 * Parses a date (midnight UTC), or a date and time with an offset, in the years 1970 to 9999. Null for everything else. `Date` alone would
 * turn 30 February into 2 March and accept years that Postgres does not support.
 */
export function parseIsoTime(text: string): Date | null {
  const day = ISO_TIME.exec(text)?.[1];
  if (day === undefined) return null;
  const midnight = new Date(day);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return null;
  const time = new Date(text);
  // Also false for an invalid date.
  return time.getTime() >= EARLIEST && time.getTime() <= LATEST ? time : null;
}
