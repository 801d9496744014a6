import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useTranslations } from '../../i18n';
import { useAssetFormats } from '../../library/formats';
import { useScope } from '../../scope/scope';
import type { DeliveryResult } from './deliver-all';

export function useOpenDeliveries(): () => void {
  const navigate = useNavigate();
  const { clientId } = useScope();
  return useCallback(
    () => void navigate({ to: '/clients/$clientId/deliveries', params: { clientId }, search: {} }),
    [clientId, navigate],
  );
}

/** How many deliveries have been started, and how many there were before. */
export function useStartedText(): (results: readonly DeliveryResult[]) => string {
  const t = useTranslations('details.deliver');
  const formats = useAssetFormats();
  return (results) => {
    const started = results.filter(({ isNew }) => isNew).length;
    const repeated = results.filter(({ isNew }) => isNew === false).length;
    return [
      t('startedMany', { count: started, number: formats.number(started) }),
      repeated > 0 ? t('repeated', { count: repeated, number: formats.number(repeated) }) : '',
    ]
      .filter(Boolean)
      .join(' ');
  };
}
