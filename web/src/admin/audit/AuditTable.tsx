import { Bot, Cog, Info } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from '../../i18n';
import { useFormat } from '../../i18n/use-format';
import { Avatar } from '../../ui/Avatar';
import { Button } from '../../ui/Button';
import { IconButton } from '../../ui/IconButton';
import { Table, type TableColumn } from '../../ui/Table';
import { TimeCell, TitleCell } from '../shared/Cell';
import { useClientNames } from '../shared/use-client-names';
import type { AuditEvent } from './audit-events';
import type { EventGroup } from './event-groups';
import { SubjectMark, SubjectName, SubjectNote } from './EventSubject';
import styles from './Audit.module.css';
import { useAuditTexts } from './use-audit-texts';

interface AuditTableProps {
  groups: readonly EventGroup[] | undefined;
  onOpen: (event: AuditEvent) => void;
  /** The events may be of several clients. */
  withClient?: boolean;
}

/** An event by itself, a group of them, or one event below its group. */
interface Row {
  readonly key: string;
  readonly event: AuditEvent;
  readonly group?: EventGroup;
  readonly isNested?: boolean;
}

const SHOWN_PICTURES = 5;

export function AuditTable({ groups, onOpen, withClient }: AuditTableProps) {
  const t = useTranslations('admin.audit');
  const texts = useAuditTexts();
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  // By any event: groups grow at both ends.
  const isExpanded = ({ events }: EventGroup) => events.some(({ eventId }) => expanded.has(eventId));
  const toggle = (group: EventGroup) => {
    const next = new Set(expanded);
    if (isExpanded(group)) group.events.forEach(({ eventId }) => next.delete(eventId));
    else next.add(group.key);
    setExpanded(next);
  };
  const rows = groups?.flatMap((group): Row[] => {
    const event = group.events[0]!;
    if (group.events.length === 1) return [{ key: group.key, event }];
    const below = group.events.map((each) => ({ key: `in ${each.eventId}`, event: each, isNested: true }));
    return [{ key: group.key, event, group }, ...(isExpanded(group) ? below : [])];
  });
  const clientNames = useClientNames();
  const columns: TableColumn<Row>[] = [
    {
      id: 'what',
      header: t('what'),
      kind: 'lead',
      width: withClient ? '40%' : '50%',
      cell: ({ event, group, isNested }) =>
        group ? (
          <GroupCell group={group} isExpanded={isExpanded(group)} onToggle={() => toggle(group)} />
        ) : isNested ? (
          <div className={styles.nested}>
            <TitleCell
              mark={<SubjectMark event={event} isSmall />}
              title={<SubjectName event={event} />}
              minor={<SubjectNote event={event} />}
            />
          </div>
        ) : (
          <TitleCell
            mark={<SubjectMark event={event} />}
            title={texts.action(event.action)}
            minor={
              <>
                <SubjectName event={event} />
                <SubjectNote event={event} />
              </>
            }
          />
        ),
    },
    ...(withClient
      ? [
          {
            id: 'client',
            header: t('client'),
            cell: ({ event }: Row) => (event.clientId === null ? '–' : clientNames([event.clientId])),
          },
        ]
      : []),
    { id: 'who', header: t('who'), cell: ({ event }) => <Actor actor={event.actor} /> },
    {
      id: 'when',
      header: t('when'),
      cell: ({ event, group }) => (group ? <TimeRange group={group} /> : <TimeCell at={event.at} />),
    },
    {
      id: 'details',
      header: t('details'),
      kind: 'actions',
      align: 'end',
      width: 64,
      cell: ({ event, group }) =>
        !group && (
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
    <Table label={t('title')} columns={columns} rows={rows} rowKey={({ key }) => key} skeletonRows={8} />
  );
}

interface GroupCellProps {
  group: EventGroup;
  isExpanded: boolean;
  onToggle: () => void;
}

function GroupCell({ group, isExpanded, onToggle }: GroupCellProps) {
  const t = useTranslations('admin.audit');
  const texts = useAuditTexts();
  const format = useFormat();
  const subjects = [...new Map(group.events.map((event) => [event.subjectId, event])).values()];
  const pictures = subjects.filter(({ subject }) => subject.asset !== null).slice(1, SHOWN_PICTURES);
  const [event] = subjects;
  const title = texts.group(group);
  const count = format.number(group.events.length);
  return (
    <TitleCell
      mark={<SubjectMark event={event!} />}
      title={title}
      minor={
        <>
          {subjects.length === 1 ? <SubjectName event={event!} /> : texts.names(subjects, group.isOpen)}
          <span className={styles.group}>
            {pictures.length > 0 && (
              <span className={styles.pictures}>
                {pictures.map((each) => (
                  <SubjectMark key={each.eventId} event={each} isSmall />
                ))}
              </span>
            )}
            <Button aria-expanded={isExpanded} onPress={onToggle}>
              {isExpanded ? t('hide') : t(group.isOpen ? 'showLatest' : 'show', { count })}
              <span className="visually-hidden">: {title}</span>
            </Button>
          </span>
        </>
      }
    />
  );
}

/** How long ago the newest event was, and from when to when they lasted. */
function TimeRange({ group: { events } }: { group: EventGroup }) {
  const format = useFormat();
  const [newest, oldest] = [events[0]!.at, events.at(-1)!.at];
  return (
    <span className={styles.range}>
      <TimeCell at={newest} />
      <span>{format.range(oldest, newest)}</span>
    </span>
  );
}

function Actor({ actor }: { actor: AuditEvent['actor'] }) {
  return (
    <span className={styles.actor}>
      {actor.kind === 'user' || actor.kind === 'agency' ? (
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
