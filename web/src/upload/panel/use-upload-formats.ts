import { useMemo } from 'react';
import { useFormat } from '../../i18n/use-format';

export interface UploadFormats {
  bytes: (size: number) => string;
  /** "3.1 MB of 6.8 MB", both in the unit of the total. */
  share: (part: number, whole: number) => string;
  speed: (bytesPerSecond: number) => string;
  duration: (seconds: number) => string;
  percent: (value: number) => string;
}

export function useUploadFormats(): UploadFormats {
  const { bytes, percent } = useFormat();
  return useMemo(() => {
    const inUnit = (value: number, unit: string) =>
      new Intl.NumberFormat(navigator.language, {
        style: 'unit',
        unit,
        unitDisplay: 'short',
        maximumFractionDigits: 0,
      }).format(value);
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
      percent: (value) => percent(Math.floor(value * 100) / 100),
    };
  }, [bytes, percent]);
}
