import { isVideo } from '../../api/file-types';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Surface } from '../../api/values';
import { type Target, targetsQuery } from '../../admin/targets/targets-query';
import { adminApi } from '../../api/client';
import { useScope } from '../../scope/scope';
import { useTranslations } from '../../i18n';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState, WarningNote } from '../../ui/ErrorState';
import { Dialog } from '../../ui/Dialog';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';
import { showToast } from '../../ui/toasts';
import { useFilterLabels } from '../../library/filter-labels';
import { type Asset } from '../../library/asset-types';
import { recordQuery } from '../../library/library-queries';
import { surfacesIn } from '../../library/surface-choice';
import {
  likelyRendition,
  likelySurface,
  likelyTarget,
  mayBeRefused,
  type Rendition,
} from './delivery-choice';
import { useReasonText } from './reason-text';

/** Delivers an asset to one of the client's targets. */
export function DeliverDialog({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  const t = useTranslations('details.deliver');
  const labels = useFilterLabels();
  const reasonText = useReasonText();
  const navigate = useNavigate();
  const scope = useScope();
  const path = { clientId: scope.clientId };
  const targets = useQuery(targetsQuery(scope));
  const record = useQuery(recordQuery(scope, asset.assetId));
  const [chosen, setChosen] = useState<{ targetId?: string; surface?: Surface; rendition?: Rendition }>({});
  const target = chosen.targetId
    ? targets.data?.find(({ targetId }) => targetId === chosen.targetId)
    : likelyTarget(targets.data ?? []);
  const allowed = surfacesIn(asset.allowedSurfaces);
  const surface = chosen.surface ?? likelySurface(target?.kind, allowed);
  const place = { surface: labels.surface(surface) };
  const rendition = chosen.rendition ?? likelyRendition(asset, surface);
  const options = targets.data?.map(({ targetId: id, name, kind, state }) => ({
    id,
    label: name,
    description: [t(`kinds.${kind}`), state !== 'connected' && t(`states.${state}`)]
      .filter(Boolean)
      .join(' · '),
  }));
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
    if (!target) return;
    await adminApi.POST('/admin/clients/{clientId}/deliveries', {
      params: { path },
      body: { assetRef: asset.assetRef, targetId: target.targetId, surface, rendition },
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
        value={target?.targetId ?? null}
        onChange={(targetId) => setChosen({ targetId })}
        missing={t('targetMissing')}
      />
      {target && <TargetWarning target={target} />}
      <Select
        label={t('surface')}
        options={allowed.map((id) => ({ id, label: labels.surface(id) }))}
        value={surface}
        onChange={(next) => setChosen({ ...chosen, surface: next, rendition: undefined })}
      />
      {!isVideo(asset) && (
        <Select
          label={t('rendition')}
          options={[
            {
              id: 'original',
              label: t('original'),
              description: mayBeRefused(asset, surface, 'original')
                ? t('mayBeRefused', place)
                : t('originalText'),
            },
            { id: 'fit', label: t('fit'), description: t('fitText') },
          ]}
          value={rendition}
          onChange={(next) => setChosen({ ...chosen, rendition: next })}
        />
      )}
      {mayBeRefused(asset, surface, rendition) && (
        <WarningNote title={t('mayBeRefused', place)}>
          {record.data?.fitness[surface].reasons.map((reason) => `${reasonText(reason)}.`).join(' ')}
        </WarningNote>
      )}
    </FormDialog>
  );
}

/** Says before the delivery that the target does not work, or may not. */
function TargetWarning({ target: { state, detail } }: { target: Target }) {
  const t = useTranslations('details.deliver');
  const { clientId } = useScope();
  if (state === 'connected') return null;
  return (
    <WarningNote
      title={detail && state === 'error' ? t('lastCheckFailed', { detail }) : t(`states.${state}`)}
    >
      <Link to="/clients/$clientId/targets" params={{ clientId }}>
        {t('openTargets')}
      </Link>
    </WarningNote>
  );
}
