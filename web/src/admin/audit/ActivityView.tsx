import { useInfiniteQuery } from '@tanstack/react-query';
import { Activity, Download, Search } from 'lucide-react';
import { useState } from 'react';
import { saveFile } from '../../browser/download';
import { useTranslations } from '../../i18n';
import type { Scope } from '../../scope/scope';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { useProblemToast } from '../../ui/use-problem-toast';
import { AdminPage } from '../shared/AdminPage';
import { LoadMore } from '../shared/LoadMore';
import { ActivityFilters } from './ActivityFilters';
import type { ActivityKind, ActivitySearch } from './activity-search';
import type { AuditEvent } from './audit-events';
import { auditQuery, fetchCsv } from './audit-query';
import { AuditTable } from './AuditTable';
import { groupsOf } from './event-groups';
import { EventDialog } from './EventDialog';
import { useAuditTexts } from './use-audit-texts';

interface ActivityViewProps {
  /** Null for the activity of everything. */
  scope: Scope | null;
  title: string;
  description: string;
  kinds: readonly ActivityKind[];
  search: ActivitySearch;
  onSearch: (search: ActivitySearch) => void;
}

/** Who did what, newest first. */
export function ActivityView({ scope, title, description, kinds, search, onSearch }: ActivityViewProps) {
  const t = useTranslations('admin.audit');
  const texts = useAuditTexts();
  const pages = useInfiniteQuery(auditQuery(scope, search));
  const events = pages.data?.pages.flatMap((page) => page.events);
  const loadedSince = pages.hasNextPage ? events?.at(-1)?.at : undefined;
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  const [opened, setOpened] = useState<AuditEvent | null>(null);
  return (
    <AdminPage
      title={title}
      description={description}
      action={events && events.length > 0 && <CsvButton scope={scope} search={search} />}
      filters={<ActivityFilters kinds={kinds} search={search} onChange={onSearch} />}
    >
      {pages.error ? (
        <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
      ) : events?.length !== 0 ? (
        <AuditTable
          groups={events && groupsOf(events, loadedSince, texts.canCount)}
          onOpen={setOpened}
          withClient={scope === null}
        />
      ) : isFiltered ? (
        <EmptyState
          icon={<Search />}
          title={t('noneFound')}
          action={<Button onPress={() => onSearch({})}>{t('clearFilters')}</Button>}
        />
      ) : (
        <EmptyState icon={<Activity />} title={t('empty')}>
          {t('emptyText')}
        </EmptyState>
      )}
      <LoadMore pages={pages} />
      <EventDialog
        event={opened}
        onClose={() => setOpened(null)}
        onShowAll={(about) => {
          setOpened(null);
          onSearch({ about });
        }}
      />
    </AdminPage>
  );
}

function CsvButton({ scope, search }: Pick<ActivityViewProps, 'scope' | 'search'>) {
  const t = useTranslations('admin.audit');
  const problemToast = useProblemToast();
  const [isPending, setPending] = useState(false);
  const save = async () => {
    setPending(true);
    try {
      const { file, name } = await fetchCsv(scope, search);
      saveFile(file, name);
    } catch (error) {
      problemToast(error, t('csvFailed'));
    } finally {
      setPending(false);
    }
  };
  return (
    <Button icon={<Download size={16} aria-hidden />} isPending={isPending} onPress={() => void save()}>
      {t('csv')}
    </Button>
  );
}
