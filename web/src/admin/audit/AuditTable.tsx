import { Bot, Cog, Info } from 'lucide-react';
import { useTranslations } from '../../i18n';
import { Avatar } from '../../ui/Avatar';
import { IconButton } from '../../ui/IconButton';
import { Table, type TableColumn } from '../../ui/Table';
import { TimeCell, TitleCell } from '../shared/Cell';
import { subjectOf, type AuditEvent } from './audit-query';
import styles from './Audit.module.css';
import { useAuditTexts } from './use-audit-texts';

interface AuditTableProps {
  events: readonly AuditEvent[] | undefined;
  onOpen: (event: AuditEvent) => void;
}

export function AuditTable({ events, onOpen }: AuditTableProps) {
  const t = useTranslations('admin.audit');
  const texts = useAuditTexts();
  const columns: TableColumn<AuditEvent>[] = [
    {
      id: 'what',
      header: t('what'),
      kind: 'lead',
      cell: (event) => <TitleCell title={texts.action(event.action)} minor={subjectOf(event)} />,
    },
    { id: 'who', header: t('who'), cell: ({ actor }) => <Actor actor={actor} /> },
    { id: 'when', header: t('when'), cell: ({ at }) => <TimeCell at={at} /> },
    {
      id: 'details',
      header: t('details'),
      kind: 'actions',
      align: 'end',
      width: 64,
      cell: (event) => (
        <IconButton
          label={t('showDetails', { action: texts.action(event.action) })}
          icon={<Info aria-hidden />}
          tooltipPlacement="left"
          onPress={() => onOpen(event)}
        />
      ),
    },
  ];
  return (
    <Table
      label={t('title')}
      columns={columns}
      rows={events}
      rowKey={(event) => event.eventId}
      skeletonRows={8}
    />
  );
}

function Actor({ actor }: { actor: AuditEvent['actor'] }) {
  return (
    <span className={styles.actor}>
      {actor.kind === 'user' ? (
        <Avatar name={actor.name} />
      ) : (
        <span className={styles.machine}>
          {actor.kind === 'api_key' ? <Bot size={16} aria-hidden /> : <Cog size={16} aria-hidden />}
        </span>
      )}
      <span className={styles.name}>{actor.name}</span>
    </span>
  );
}
