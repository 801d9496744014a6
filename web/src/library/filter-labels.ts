import { useMemo } from 'react';
import { type FitFor, isSurface, type Surface } from '../api/values';
import { useTranslations } from '../i18n';
import { fileTypeName, isVideo } from '../api/file-types';

/** The labels of surfaces, channels and filters, the same everywhere. */
export function useFilterLabels() {
  const t = useTranslations('filters');
  return useMemo(
    () => ({
      type: (type: string) => (isVideo({ mimeType: type }) ? t('video') : fileTypeName(type)),
      surface: (surface: Surface) => t(`surfaces.${surface}`),
      used: (used: boolean) => t(used ? 'isUsed' : 'isUnused'),
      fitFor: (fitFor: FitFor) => (isSurface(fitFor) ? t(`surfaces.${fitFor}`) : t(`channels.${fitFor}`)),
    }),
    [t],
  );
}
