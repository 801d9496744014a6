import { useMemo } from 'react';
import { useTranslations } from '../../i18n';
import { kindOf } from '../formats';
import type { FitFor, Surface } from '../library/asset-types';

/** The words for surfaces, channels and filters, the same everywhere. */
export function useFilterLabels() {
  const t = useTranslations('assets');
  return useMemo(
    () => ({
      type: (type: string) => (type === 'video/mp4' ? t('filters.video') : kindOf(type)),
      surface: (surface: Surface) => t(`surfaces.${surface}`),
      used: (used: boolean) => t(used ? 'filters.isUsed' : 'filters.isUnused'),
      fitFor: (fitFor: FitFor) =>
        fitFor === 'website' || fitFor === 'social' || fitFor === 'gbp'
          ? t(`surfaces.${fitFor}`)
          : t(`channels.${fitFor}`),
    }),
    [t],
  );
}
