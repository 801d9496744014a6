/** A day in the browser's time zone: `2026-11-17`. */
export type Day = string;

export const NAMED_DAYS = ['today', 'yesterday', 'last7days', 'last30days'] as const;
type NamedDays = (typeof NAMED_DAYS)[number];

/** Days in an address: a name, which keeps its meaning tomorrow, or a range with an open end at most: `2026-11-10..2026-11-17`. */
export type Days = NamedDays | `${Day}..${Day}`;

export interface DayRange {
  readonly from?: Day;
  /** Inclusive. */
  readonly to?: Day;
}

/** The API accepts times since 1970 in UTC. */
const DAY = /^(197[1-9]|19[89]\d|20\d\d|21\d\d)-\d\d-\d\d$/;

export function isNamed(days: Days): days is NamedDays {
  return NAMED_DAYS.some((each) => each === days);
}

/** Undefined for anything that is neither a name nor a range of existing days. */
export function daysOf(value: unknown): Days | undefined {
  if (typeof value !== 'string') return undefined;
  const name = NAMED_DAYS.find((each) => each === value);
  if (name) return name;
  const [from = '', to = '', ...others] = value.split('..');
  if (others.length > 0 || !value.includes('..')) return undefined;
  return [from, to].every((day) => day === '' || isDay(day)) ? daysBetween({ from, to }) : undefined;
}

/** Undefined if both ends are open. */
export function daysBetween({ from = '', to = '' }: DayRange): Days | undefined {
  if (from === '' && to === '') return undefined;
  return from !== '' && to !== '' && from > to ? `${to}..${from}` : `${from}..${to}`;
}

export function isDay(text: string): boolean {
  return DAY.test(text) && dayOf(startOf(text)) === text;
}

export function dayOf(instant: string | Date): Day {
  const date = new Date(instant);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((value) => String(value).padStart(2, '0'));
  return `${date.getFullYear()}-${month}-${day}`;
}

/** Midnight in the browser's time zone. */
export function startOf(day: Day): Date {
  return new Date(`${day}T00:00`);
}

/** By the calendar, because a day can have 23 or 25 hours. */
export function addDays(day: Day, days: number): Day {
  const date = new Date(`${day}T12:00`);
  date.setDate(date.getDate() + days);
  return dayOf(date);
}

export function rangeOf(days: Days, today = dayOf(new Date())): DayRange {
  switch (days) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case 'last7days':
      return { from: addDays(today, -6), to: today };
    case 'last30days':
      return { from: addDays(today, -29), to: today };
    default: {
      const [from, to] = days.split('..');
      return { ...(from && { from }), ...(to && { to }) };
    }
  }
}

/** As the API filters: from inclusive, to exclusive. */
export function instantsOf(days: Days | undefined): { from?: string; to?: string } {
  if (days === undefined) return {};
  const { from, to } = rangeOf(days);
  return {
    ...(from && { from: startOf(from).toISOString() }),
    ...(to && { to: startOf(addDays(to, 1)).toISOString() }),
  };
}
