import { fileTypeName } from '../../api/file-types';
import { useTranslations } from '../../i18n';
import type { FitnessReason } from '../../library/asset-types';

/** A limit that a file exceeds, and the value of the file. */
export function useReasonText(): (reason: FitnessReason, message?: string) => string {
  const t = useTranslations('details.fitness');
  return ({ message, actual }, limit = message) =>
    t('reason', { message: limit, actual: fileTypeName(String(actual)) });
}
