import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Ban, ExternalLink, Link, RotateCw } from 'lucide-react';
import { adminApi, body } from '../../api/client';
import { scopeKey, useScope } from '../../scope/scope';
import { useFilterLabels } from '../../library/filter-labels';
import { libraryLink } from '../../library/library-links';
import CopyText from '../../library/CopyText';
import { useTranslations } from '../../i18n';
import { MenuItem } from '../../ui/Menu';
import { Table, type TableColumn } from '../../ui/Table';
import { useProblemToast } from '../../ui/use-problem-toast';
import { TimeCell } from '../shared/Cell';
import { RowMenu } from '../shared/RowMenu';
import type { Target } from '../targets/targets-query';
import { AssetCell } from './AssetCell';
import { DeliveryState } from './DeliveryState';
import type { Delivery } from './deliveries-query';

interface DeliveriesTableProps {
  deliveries: readonly Delivery[] | undefined;
  targets: readonly Target[];
}

export function DeliveriesTable({ deliveries, targets }: DeliveriesTableProps) {
  const t = useTranslations('admin.deliveries');
  const labels = useFilterLabels();
  const change = useChangeDelivery();
  const scope = useScope();
  const mayChange = scope.can('deliveries:write');
  const texts = useTranslations('dialogs.copy');
  const [copied, setCopied] = useState<string | null>(null);
  const columns: TableColumn<Delivery>[] = [
    {
      id: 'asset',
      header: t('asset'),
      kind: 'lead',
      cell: (delivery) => <AssetCell assetRef={delivery.assetRef} />,
    },
    {
      id: 'target',
      header: t('target'),
      cell: ({ targetId }) =>
        targets.find((target) => target.targetId === targetId)?.name ?? t('deletedTarget'),
    },
    { id: 'surface', header: t('surface'), cell: ({ surface }) => labels.surface(surface) },
    {
      id: 'state',
      header: t('status'),
      width: '36%',
      cell: (delivery) => <DeliveryState delivery={delivery} />,
    },
    { id: 'updated', header: t('updated'), cell: ({ updatedAt }) => <TimeCell at={updatedAt} /> },
    {
      id: 'actions',
      header: t('actions'),
      kind: 'actions',
      align: 'end',
      width: 64,
      cell: ({ deliveryId, assetRef, status, remoteUrl }) => {
        const mayRetry = mayChange && (status === 'failed' || status === 'cancelled');
        const mayCancel = mayChange && status === 'queued';
        return (
          <RowMenu label={t('menu')}>
            {remoteUrl && (
              <MenuItem
                label={t('openRemote')}
                icon={<ExternalLink aria-hidden />}
                href={remoteUrl}
                target="_blank"
              />
            )}
            <MenuItem
              label={t('copyLink')}
              icon={<Link aria-hidden />}
              onAction={() => setCopied(libraryLink(scope, { details: assetRef }))}
            />
            {mayRetry && (
              <MenuItem
                label={t('retry')}
                icon={<RotateCw aria-hidden />}
                onAction={() => change(deliveryId, 'retry')}
              />
            )}
            {mayCancel && (
              <MenuItem
                label={t('cancel')}
                tone="danger"
                icon={<Ban aria-hidden />}
                onAction={() => change(deliveryId, 'cancel')}
              />
            )}
          </RowMenu>
        );
      },
    },
  ];
  return (
    <>
      <Table
        label={t('title')}
        columns={columns}
        rows={deliveries}
        rowKey={(delivery) => delivery.deliveryId}
      />
      {copied !== null && <CopyText text={copied} done={texts('link')} onEnd={() => setCopied(null)} />}
    </>
  );
}

function useChangeDelivery() {
  const t = useTranslations('admin.deliveries');
  const scope = useScope();
  const queries = useQueryClient();
  const problemToast = useProblemToast();
  return (deliveryId: string, action: 'retry' | 'cancel') => {
    const params = { path: { clientId: scope.clientId, deliveryId } };
    const base = '/admin/clients/{clientId}/deliveries/{deliveryId}';
    body(adminApi.POST(`${base}/${action}` as const, { params }))
      .catch((error: unknown) => problemToast(error, t(`${action}Failed`)))
      .finally(() => void queries.invalidateQueries({ queryKey: scopeKey(scope, 'deliveries') }));
  };
}
