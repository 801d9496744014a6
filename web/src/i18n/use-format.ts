const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

export interface Format {
  readonly number: (value: number) => string;
  readonly percent: (value: number) => string;
  readonly bytes: (value: number) => string;
  /** `12 Nov 2026`. */
  readonly date: (value: string | Date) => string;
  /** `12 Nov 2026, 14:05`. */
  readonly dateTime: (value: string | Date) => string;
  /** `12 Nov 2026, 14:05 – 14:20`. */
  readonly range: (from: string, to: string) => string;
  /** `3 minutes ago`. */
  readonly relative: (value: string | Date) => string;
  /** `0:14`, `1:02:03`: the length of a video. */
  readonly duration: (milliseconds: number) => string;
  readonly list: (values: readonly string[]) => string;
}

let format: Format | undefined;

/** Numbers, dates and sizes in the user's locale. */
export function useFormat(): Format {
  return (format ??= formatFor(navigator.language));
}

export function formatFor(locale: string): Format {
  const number = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  return {
    number: (value) => number.format(value),
    percent: (value) => percent.format(value),
    bytes: (value) => bytes(locale, value),
    date: (value) => date.format(new Date(value)),
    dateTime: (value) => dateTime.format(new Date(value)),
    range: (from, to) => dateTime.formatRange(new Date(from), new Date(to)),
    relative: (value) => {
      const seconds = (new Date(value).getTime() - Date.now()) / 1000;
      const [unit, length] = STEPS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
      // If the server's clock is slightly ahead of ours, this must not show "in 2 seconds".
      return relative.format(
        unit === 'second' ? Math.min(0, Math.round(seconds)) : Math.round(seconds / length),
        unit,
      );
    },
    duration: durationText,
    list: (values) => list.format(values),
  };
}

function bytes(locale: string, value: number): string {
  const power = value < 1000 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), UNITS.length - 1);
  const amount = value / 1000 ** power;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power > 1 && amount < 100 ? 1 : 0,
  }).format(amount);
}

/** `0:14`, `1:02:03`: the length of a video. */
export function durationText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const pad = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}
