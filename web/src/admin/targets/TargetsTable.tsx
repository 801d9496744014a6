import { Pencil, Stethoscope, Trash2 } from 'lucide-react';
import { useScope } from '../../scope/scope';
import { useTranslations } from '../../i18n';
import { MenuItem, MenuSeparator } from '../../ui/Menu';
import { Table, type TableColumn } from '../../ui/Table';
import { TimeCell, TitleCell } from '../shared/Cell';
import { RowMenu } from '../shared/RowMenu';
import { StateCell } from '../shared/StateBadge';
import { KINDS } from './kinds/kinds';
import type { Target } from './targets-query';

interface TargetsTableProps {
  targets: readonly Target[] | undefined;
  onVerify: (target: Target) => void;
  onEdit: (target: Target) => void;
  onDelete: (target: Target) => void;
}

export function TargetsTable({ targets, onVerify, onEdit, onDelete }: TargetsTableProps) {
  const t = useTranslations('admin.targets');
  const mayManage = useScope().can('targets:manage');
  const columns: TableColumn<Target>[] = [
    {
      id: 'name',
      header: t('name'),
      kind: 'lead',
      cell: (target) => <TitleCell title={target.name} minor={KINDS[target.kind].addressOf(target)} />,
    },
    { id: 'kind', header: t('kind'), cell: (target) => t(`kinds.${target.kind}`) },
    {
      id: 'state',
      header: t('state'),
      width: '36%',
      cell: ({ state, detail }) => <StateCell state={state} reason={state === 'connected' ? null : detail} />,
    },
    {
      id: 'verified',
      header: t('lastVerified'),
      cell: (target) => <TimeCell at={target.lastVerifiedAt} never={t('neverVerified')} />,
    },
  ];
  if (mayManage) {
    columns.push({
      id: 'actions',
      header: t('actions'),
      kind: 'actions',
      align: 'end',
      width: 64,
      cell: (target) => (
        <RowMenu label={t('menu', { name: target.name })}>
          <MenuItem
            label={t('verify')}
            icon={<Stethoscope aria-hidden />}
            onAction={() => onVerify(target)}
          />
          <MenuItem label={t('edit')} icon={<Pencil aria-hidden />} onAction={() => onEdit(target)} />
          <MenuSeparator />
          <MenuItem
            label={t('delete')}
            tone="danger"
            icon={<Trash2 aria-hidden />}
            onAction={() => onDelete(target)}
          />
        </RowMenu>
      ),
    });
  }
  return <Table label={t('title')} columns={columns} rows={targets} rowKey={(target) => target.targetId} />;
}
