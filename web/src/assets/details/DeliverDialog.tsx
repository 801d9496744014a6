import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Surface, SURFACES } from '../../api/values';
import { targetsQuery } from '../../admin/targets/targets-query';
import { adminApi } from '../../api/client';
import { useScope } from '../../app/scope';
import { useTranslations } from '../../i18n';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState, WarningNote } from '../../ui/ErrorState';
import { Dialog } from '../../ui/Dialog';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';
import { showToast } from '../../ui/toasts';
import { useFilterLabels } from '../filters/filter-labels';
import { type Asset, isVideo } from '../library/asset-types';

type Rendition = 'original' | 'fit';

/** Delivers an asset to one of the client's targets. */
export function DeliverDialog({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  const t = useTranslations('details.deliver');
  const labels = useFilterLabels();
  const navigate = useNavigate();
  const scope = useScope();
  const allowed = asset.allowedSurfaces.length > 0 ? asset.allowedSurfaces : SURFACES;
  const [surface, setSurface] = useState<Surface>(allowed[0] ?? 'website');
  const [rendition, setRendition] = useState<Rendition>('original');
  const [targetId, setTargetId] = useState<string | null>(null);
  const path = { clientId: scope.clientId };
  const targets = useQuery(targetsQuery(scope));
  const options = targets.data?.map(({ targetId: id, name, kind, state }) => ({
    id,
    label: name,
    description: state === 'connected' ? t(`kinds.${kind}`) : `${t(`kinds.${kind}`)} – ${t('brokenShort')}`,
  }));
  const connected = targets.data?.find(({ state }) => state === 'connected');
  const chosen = targetId ?? connected?.targetId ?? options?.[0]?.id ?? null;
  const target = targets.data?.find((each) => each.targetId === chosen);
  const props = { title: t('title'), isOpen: true, onOpenChange: (isOpen: boolean) => !isOpen && onClose() };

  if (targets.error && !options)
    return (
      <Dialog {...props}>
        <ErrorState error={targets.error} onRetry={() => void targets.refetch()} />
      </Dialog>
    );
  if (options?.length === 0)
    return (
      <Dialog {...props}>
        <EmptyState icon={null} title={t('noTargets')}>
          {t('noTargetsText')}
        </EmptyState>
      </Dialog>
    );
  const deliver = async () => {
    if (chosen === null) return;
    await adminApi.POST('/admin/clients/{clientId}/deliveries', {
      params: { path },
      body: { assetRef: asset.assetRef, targetId: chosen, surface, rendition },
    });
    showToast({
      tone: 'success',
      title: t('started'),
      action: {
        label: t('show'),
        onAction: () => void navigate({ to: '/clients/$clientId/deliveries', params: path, search: {} }),
      },
    });
  };
  return (
    <FormDialog {...props} submitLabel={t('confirm')} onSubmit={deliver}>
      <Select
        label={t('target')}
        options={options ?? []}
        value={chosen}
        onChange={setTargetId}
        isDisabled={!options}
      />
      {target && target.state !== 'connected' && (
        <WarningNote title={t('broken')}>{target.detail ?? t('unverified')}</WarningNote>
      )}
      <Select
        label={t('surface')}
        options={allowed.map((id) => ({ id, label: labels.surface(id) }))}
        value={surface}
        onChange={setSurface}
      />
      {!isVideo(asset) && (
        <Select
          label={t('rendition')}
          options={[
            { id: 'original', label: t('original'), description: t('originalText') },
            { id: 'fit', label: t('fit'), description: t('fitText') },
          ]}
          value={rendition}
          onChange={setRendition}
        />
      )}
    </FormDialog>
  );
}
