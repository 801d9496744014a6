import { isVideo } from '../../api/file-types';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Surface, SURFACES } from '../../api/values';
import { type Target, targetsQuery } from '../../admin/targets/targets-query';
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
import { useAssetFormats } from '../../library/formats';
import { recordQuery } from '../../library/library-queries';
import { deliverAll, type DeliveryResult } from './deliver-all';
import { DeliveryOutcome } from './DeliveryOutcome';
import { useOpenDeliveries, useStartedText } from './use-deliveries';
import {
  bySurface,
  likelyRendition,
  likelySurface,
  likelyTarget,
  mayBeRefused,
  type Rendition,
  renditionOf,
  titlesOf,
} from './delivery-choice';
import { useReasonText } from './reason-text';

/** Delivers assets to one of the client's targets. */
export function DeliverDialog({ assets, onClose }: { assets: readonly Asset[]; onClose: () => void }) {
  const t = useTranslations('details.deliver');
  const labels = useFilterLabels();
  const formats = useAssetFormats();
  const scope = useScope();
  const startedText = useStartedText();
  const openDeliveries = useOpenDeliveries();
  const targets = useQuery(targetsQuery(scope));
  const [chosen, setChosen] = useState<{ targetId?: string; surface?: Surface; rendition?: Rendition }>({});
  const [outcome, setOutcome] = useState<readonly DeliveryResult[] | null>(null);
  const target = chosen.targetId
    ? targets.data?.find(({ targetId }) => targetId === chosen.targetId)
    : likelyTarget(targets.data ?? []);
  const allowed = SURFACES.filter((each) => bySurface(assets, each).going.length > 0);
  const surface = chosen.surface ?? likelySurface(target?.kind, allowed);
  const place = { surface: labels.surface(surface) };
  const isAlone = assets.length === 1;
  const { going, staying } = bySurface(assets, surface);
  const pictures = going.filter((asset) => !isVideo(asset));
  const rendition =
    chosen.rendition ??
    (pictures.some((asset) => likelyRendition(asset, surface) === 'fit') ? 'fit' : 'original');
  const mayFail = (asset: Asset, choice: Rendition) =>
    mayBeRefused(asset, surface, renditionOf(assets, asset, surface, choice));
  const doubtful = going.filter((asset) => mayFail(asset, rendition));
  const options = targets.data?.map(({ targetId: id, name, kind, state }) => ({
    id,
    label: name,
    description: [t(`kinds.${kind}`), state !== 'connected' && t(`states.${state}`)]
      .filter(Boolean)
      .join(' · '),
  }));
  const count = assets.length;
  const title = isAlone ? t('title') : t('titleMany', { count, number: formats.number(count) });
  const props = { title, isOpen: true, onOpenChange: (isOpen: boolean) => !isOpen && onClose() };

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
  if (outcome) return <DeliveryOutcome assets={assets} results={outcome} onClose={onClose} />;
  const deliver = async () => {
    if (!target) return false;
    const request = { targetId: target.targetId, surface };
    const results = await deliverAll(scope.clientId, going, request, (asset) =>
      renditionOf(assets, asset, surface, rendition),
    );
    if (results.some(({ ok }) => !ok)) {
      setOutcome(results);
      return false;
    }
    showToast({
      tone: 'success',
      title: isAlone ? t('started') : startedText(results),
      action: { label: t('show'), onAction: openDeliveries },
    });
    return true;
  };
  return (
    <FormDialog
      {...props}
      submitLabel={isAlone ? t('confirm') : t('confirmMany', { number: formats.number(going.length) })}
      isSubmitDisabled={going.length === 0}
      onSubmit={deliver}
    >
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
      {staying.length > 0 && (
        <WarningNote title={t('staying', { ...place, count: staying.length })}>
          {titlesOf(staying)}
        </WarningNote>
      )}
      {pictures.length > 0 && (
        <Select
          label={t('rendition')}
          options={[
            {
              id: 'original',
              label: t(isAlone ? 'original' : 'originals'),
              description: going.some((asset) => mayFail(asset, 'original'))
                ? t(isAlone ? 'mayBeRefused' : 'mayRefuseSome', place)
                : t('originalText'),
            },
            {
              id: 'fit',
              label: t(isAlone ? 'fit' : 'fitMany'),
              description: t(isAlone ? 'fitText' : 'fitManyText'),
            },
          ]}
          value={rendition}
          onChange={(next) => setChosen({ ...chosen, rendition: next })}
        />
      )}
      {isAlone
        ? doubtful.map((asset) => (
            <WarningNote key={asset.assetId} title={t('mayBeRefused', place)}>
              <Reasons asset={asset} surface={surface} />
            </WarningNote>
          ))
        : doubtful.length > 0 && (
            <WarningNote title={t('mayRefuse', { ...place, count: doubtful.length })}>
              {titlesOf(doubtful)}
            </WarningNote>
          )}
    </FormDialog>
  );
}

/** The limits that the file exceeds. */
function Reasons({ asset, surface }: { asset: Asset; surface: Surface }) {
  const reasonText = useReasonText();
  const record = useQuery(recordQuery(useScope(), asset.assetId));
  return record.data?.fitness[surface].reasons.map((reason) => `${reasonText(reason)}.`).join(' ');
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
