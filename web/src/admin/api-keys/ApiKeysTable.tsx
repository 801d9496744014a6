import { Ban } from 'lucide-react';
import { useSurfacesText } from '../../library/SurfaceChips';
import { useTranslations } from '../../i18n';
import { MenuItem } from '../../ui/Menu';
import { Table, type TableColumn } from '../../ui/Table';
import { TimeCell, TitleCell } from '../shared/Cell';
import { RowMenu } from '../shared/RowMenu';
import { useRoleName } from '../shared/roles';
import { StateBadge } from '../shared/StateBadge';
import { useClientNames } from '../shared/use-client-names';
import type { ApiKey } from './api-keys-query';

interface ApiKeysTableProps {
  keys: readonly ApiKey[] | undefined;
  onRevoke: (key: ApiKey) => void;
}

export function ApiKeysTable({ keys, onRevoke }: ApiKeysTableProps) {
  const t = useTranslations('admin.apiKeys');
  const surfacesText = useSurfacesText();
  const roleName = useRoleName();
  const clientNames = useClientNames();
  const columns: TableColumn<ApiKey>[] = [
    {
      id: 'name',
      header: t('name'),
      kind: 'lead',
      cell: (key) => <TitleCell title={key.name} minor={roleName(key.role)} />,
    },
    { id: 'clients', header: t('clients'), cell: (key) => clientNames(key.clientIds) },
    {
      id: 'surfaces',
      header: t('surfaces'),
      cell: ({ surfaces }) => surfacesText(surfaces ?? []),
    },
    {
      id: 'used',
      header: t('lastUsed'),
      cell: (key) => <TimeCell at={key.lastUsedAt} never={t('neverUsed')} />,
    },
    {
      id: 'expires',
      header: t('expires'),
      cell: (key) => <TimeCell at={key.expiresAt} never={t('neverExpires')} />,
    },
    { id: 'state', header: t('state'), cell: (key) => <StateBadge state={stateOf(key)} /> },
    {
      id: 'actions',
      header: t('actions'),
      kind: 'actions',
      align: 'end',
      width: 64,
      cell: (key) =>
        stateOf(key) !== 'revoked' && (
          <RowMenu label={t('menu', { name: key.name })}>
            <MenuItem
              label={t('revoke')}
              tone="danger"
              icon={<Ban aria-hidden />}
              onAction={() => onRevoke(key)}
            />
          </RowMenu>
        ),
    },
  ];
  return <Table label={t('title')} columns={columns} rows={keys} rowKey={(key) => key.keyId} />;
}

function stateOf({ revokedAt, expiresAt }: ApiKey): 'active' | 'revoked' | 'expired' {
  if (revokedAt) return 'revoked';
  return expiresAt && new Date(expiresAt) <= new Date() ? 'expired' : 'active';
}
