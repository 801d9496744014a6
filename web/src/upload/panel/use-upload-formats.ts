import { useMemo } from 'react';
import { useFormatter } from 'use-intl';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

export interface UploadFormats {
  bytes: (size: number) => string;
  /** "3.1 MB of 6.8 MB", both in the unit of the total. */
  share: (part: number, whole: number) => string;
  speed: (bytesPerSecond: number) => string;
  duration: (seconds: number) => string;
  percent: (value: number) => string;
}

export function useUploadFormats(): UploadFormats {
  const format = useFormatter();
  return useMemo(() => {
    const bytes = (size: number) => {
      const power = size < 1_000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(size) / 3));
      const value = size / 1_000 ** power;
      const maximumFractionDigits = power > 1 && value < 100 ? 1 : 0;
      return format.number(value, {
        style: 'unit',
        unit: UNITS[power],
        unitDisplay: power === 0 ? 'long' : 'short',
        maximumFractionDigits,
      });
    };
    const inUnit = (value: number, unit: string) =>
      format.number(value, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 0 });
    return {
      bytes,
      share: (part, whole) => `${bytes(part)} / ${bytes(whole)}`,
      speed: (perSecond) => `${bytes(perSecond)}/s`,
      duration(seconds) {
        if (seconds < 60) return inUnit(Math.max(1, Math.ceil(seconds / 5) * 5), 'second');
        const minutes = Math.ceil(seconds / 60);
        if (minutes < 60) return inUnit(minutes, 'minute');
        return `${inUnit(Math.floor(minutes / 60), 'hour')} ${inUnit(minutes % 60, 'minute')}`;
      },
      percent: (value) => format.number(Math.floor(value * 100) / 100, { style: 'percent' }),
    };
  }, [format]);
}
