import { useMemo } from 'react';
import { type FitFor, isSurface, type Surface } from '../api/values';
import { useTranslations } from '../i18n';
import { useFormat } from '../i18n/use-format';
import { type Days, isNamed, rangeOf, startOf } from './days';
import { fileTypeName, isVideo } from '../api/file-types';

/** The labels of surfaces, channels and filters, the same everywhere. */
export function useFilterLabels() {
  const t = useTranslations('filters');
  const formats = useFormat();
  return useMemo(
    () => ({
      type: (type: string) => (isVideo({ mimeType: type }) ? t('video') : fileTypeName(type)),
      surface: (surface: Surface) => t(`surfaces.${surface}`),
      used: (used: boolean) => t(used ? 'isUsed' : 'isUnused'),
      days: (days: Days) => {
        if (isNamed(days)) return t(`days.${days}`);
        const { from, to } = rangeOf(days);
        const [first, last] = [from, to].map((day) => (day ? formats.date(startOf(day)) : ''));
        if (from === to) return first ?? '';
        return from && to
          ? `${first} – ${last}`
          : from
            ? t('since', { day: first! })
            : t('until', { day: last! });
      },
      fitFor: (fitFor: FitFor) => (isSurface(fitFor) ? t(`surfaces.${fitFor}`) : t(`channels.${fitFor}`)),
    }),
    [formats, t],
  );
}
