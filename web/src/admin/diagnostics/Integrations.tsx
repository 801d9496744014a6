import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plug, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { clientQuery } from '../../scope/clients-query';
import { useScope } from '../../scope/scope';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { MenuItem } from '../../ui/Menu';
import { Table, type TableColumn } from '../../ui/Table';
import { AdminSection } from '../shared/AdminPage';
import { Muted, TimeCell, TitleCell } from '../shared/Cell';
import { RowMenu } from '../shared/RowMenu';
import { StateBadge } from '../shared/StateBadge';
import { KIND_NAMES } from '../targets/kinds/kinds';
import { IntegrationDialog } from './IntegrationDialog';

type Integration = Schemas['IntegrationDto'];
/** Targets appear here too, but are changed on their own page. */
const isOwn = ({ kind }: Integration) => !KIND_NAMES.some((name) => name === kind);

export function Integrations() {
  const t = useTranslations('admin.integrations');
  const scope = useScope();
  const queries = useQueryClient();
  const { clientId } = scope;
  const { data, error, refetch } = useQuery(clientQuery(clientId));
  const [edited, setEdited] = useState<Integration | 'new' | null>(null);
  const mayManage = scope.can('diagnostics:manage');
  const columns: TableColumn<Integration>[] = [
    {
      id: 'name',
      header: t('name'),
      kind: 'lead',
      cell: (each) => <TitleCell title={each.name} minor={each.kind} />,
    },
    { id: 'state', header: t('state'), cell: (each) => <StateBadge state={each.state} /> },
    { id: 'detail', header: t('detail'), cell: (each) => each.detail ?? <Muted>–</Muted> },
    {
      id: 'verified',
      header: t('lastVerified'),
      cell: (each) => <TimeCell at={each.lastVerifiedAt} never={t('never')} />,
    },
    {
      id: 'actions',
      header: t('actions'),
      kind: 'actions',
      align: 'end',
      width: 64,
      cell: (each) =>
        mayManage &&
        isOwn(each) && (
          <RowMenu label={t('menu', { name: each.name })}>
            <MenuItem label={t('edit')} icon={<Pencil aria-hidden />} onAction={() => setEdited(each)} />
          </RowMenu>
        ),
    },
  ];
  const addButton = mayManage && (
    <Button icon={<Plus aria-hidden />} onPress={() => setEdited('new')}>
      {t('add')}
    </Button>
  );
  return (
    <AdminSection title={t('title')} description={t('text')} action={addButton}>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data?.integrations.length === 0 ? (
        <EmptyState icon={<Plug />} title={t('empty')}>
          {t('emptyText')}
        </EmptyState>
      ) : (
        <Table
          label={t('title')}
          columns={columns}
          rows={data?.integrations}
          rowKey={(each) => `${each.kind}:${each.name}`}
          skeletonRows={2}
        />
      )}
      {edited && (
        <IntegrationDialog
          integration={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(null)}
          onSaved={() => queries.invalidateQueries(clientQuery(clientId))}
        />
      )}
    </AdminSection>
  );
}
