import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Activity, Search } from 'lucide-react';
import { useState } from 'react';
import { useScope } from '../../scope/scope';
import type { ActivitySearch } from './activity-search';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { Select } from '../../ui/Select';
import { AdminPage } from '../shared/AdminPage';
import { LoadMore } from '../shared/LoadMore';
import { actorKey, kindOf, matches, type AuditEvent } from './audit-events';
import { auditQuery } from './audit-query';
import { AuditTable } from './AuditTable';
import { groupsOf } from './event-groups';
import { EventDialog } from './EventDialog';
import { useAuditTexts } from './use-audit-texts';

const ANY = 'any';

/** Who did what, newest first. */
export function ActivityPage() {
  const t = useTranslations('admin.audit');
  const texts = useAuditTexts();
  const filter: ActivitySearch = useSearch({ from: '/app/clients/$clientId/activity' });
  const navigate = useNavigate({ from: '/clients/$clientId/activity' });
  const setFilter = (change: ActivitySearch) =>
    void navigate({ search: { ...filter, ...change }, replace: true });
  const pages = useInfiniteQuery(auditQuery(useScope()));
  const events = pages.data?.pages.flatMap((page) => page.events);
  const rows = events?.filter((event) => matches(event, filter));
  const loadedSince = pages.hasNextPage ? events?.at(-1)?.at : undefined;
  const groups = rows && groupsOf(rows, loadedSince, texts.canCount);
  const isFiltered = filter.kind !== undefined || filter.actor !== undefined;
  const hasFilters = isFiltered || (events !== undefined && events.length > 0);
  const [opened, setOpened] = useState<AuditEvent | null>(null);
  const kinds = [...new Set(events?.map(kindOf))].map((kind) => ({ id: kind, label: texts.kind(kind) }));
  const actors = [...new Map(events?.map((event) => [actorKey(event), event.actor.name]))];
  return (
    <AdminPage
      title={t('title')}
      description={t('description')}
      filters={
        hasFilters && (
          <>
            <Select
              label={t('kind')}
              isLabelHidden
              variant="quiet"
              value={filter.kind ?? ANY}
              onChange={(kind) => setFilter({ kind: kind === ANY ? undefined : kind })}
              options={[{ id: ANY, label: t('anyKind') }, ...kinds]}
            />
            <Select
              label={t('actor')}
              isLabelHidden
              variant="quiet"
              value={filter.actor ?? ANY}
              onChange={(actor) => setFilter({ actor: actor === ANY ? undefined : actor })}
              options={[{ id: ANY, label: t('anyActor') }, ...actors.map(([id, label]) => ({ id, label }))]}
            />
          </>
        )
      }
    >
      {pages.error ? (
        <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
      ) : events?.length === 0 ? (
        <EmptyState icon={<Activity />} title={t('empty')}>
          {t('emptyText')}
        </EmptyState>
      ) : rows?.length === 0 ? (
        <EmptyState
          icon={<Search />}
          title={t('noneFound')}
          action={
            <Button onPress={() => setFilter({ kind: undefined, actor: undefined })}>
              {t('clearFilters')}
            </Button>
          }
        >
          {pages.hasNextPage && t('noneFoundYet', { count: events?.length ?? 0 })}
        </EmptyState>
      ) : (
        <AuditTable groups={groups} onOpen={setOpened} />
      )}
      <LoadMore pages={pages} />
      <EventDialog event={opened} onClose={() => setOpened(null)} />
    </AdminPage>
  );
}
