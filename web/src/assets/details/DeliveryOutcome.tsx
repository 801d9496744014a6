import { useTranslations } from '../../i18n';
import type { Asset } from '../../library/asset-types';
import { useAssetFormats } from '../../library/formats';
import { Button } from '../../ui/Button';
import { Dialog, DialogFooter } from '../../ui/Dialog';
import { FailedAssets } from '../edit/FailedAssets';
import type { DeliveryResult } from './deliver-all';
import { useOpenDeliveries, useStartedText } from './use-deliveries';

export interface DeliveryOutcomeProps {
  readonly assets: readonly Asset[];
  readonly results: readonly DeliveryResult[];
  onClose: () => void;
}

/** Some of the assets could not be delivered. */
export function DeliveryOutcome({ assets, results, onClose }: DeliveryOutcomeProps) {
  const t = useTranslations('details.deliver');
  const formats = useAssetFormats();
  const startedText = useStartedText();
  const openDeliveries = useOpenDeliveries();
  const ids = new Map(assets.map(({ assetRef, assetId }) => [assetRef, assetId]));
  const failed = results
    .filter(({ ok }) => !ok)
    .map(({ assetRef, detail }) => ({ assetId: ids.get(assetRef) ?? assetRef, detail }));
  return (
    <Dialog
      title={t('notAll', { count: failed.length, number: formats.number(failed.length) })}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <FailedAssets label={t('failed')} assets={assets} failed={failed} />
      <p>{startedText(results)}</p>
      <DialogFooter>
        <Button
          onPress={() => {
            onClose();
            openDeliveries();
          }}
        >
          {t('showDeliveries')}
        </Button>
        <Button variant="primary" onPress={onClose} autoFocus>
          {t('done')}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
