import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { FlaskConical, PanelTop, Plus } from 'lucide-react';
import { useState } from 'react';
import { adminApi, body, type Schemas } from '../../api/client';
import { scopeKey, useScope } from '../../app/scope';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { Table, type TableColumn } from '../../ui/Table';
import { AdminSection } from '../shared/AdminPage';
import { TimeCell, TitleCell } from '../shared/Cell';
import { LoadMore } from '../shared/LoadMore';
import { AttributionDialog } from './AttributionDialog';
import { LandingPageDialog } from './LandingPageDialog';

type LandingPage = Schemas['LandingPageDto'];

/** The client's landing pages, and how a visit to one would be attributed. */
export function LandingPages() {
  const t = useTranslations('admin.landingPages');
  const scope = useScope();
  const queries = useQueryClient();
  const key = scopeKey(scope, 'landing-pages');
  const pages = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => {
      const params = { path: { clientId: scope.clientId }, query: { cursor: pageParam } };
      return body(adminApi.GET('/admin/clients/{clientId}/landing-pages', { params, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  const rows = pages.data?.pages.flatMap((page) => page.landingPages);
  const [isAdding, setAdding] = useState(false);
  const [tested, setTested] = useState<LandingPage | null>(null);
  const columns: TableColumn<LandingPage>[] = [
    {
      id: 'name',
      header: t('name'),
      kind: 'lead',
      cell: (page) => <TitleCell title={page.name} minor={page.url} />,
    },
    { id: 'slug', header: t('slug'), cell: (page) => <code>{page.slug}</code> },
    { id: 'created', header: t('created'), cell: (page) => <TimeCell at={page.createdAt} /> },
    {
      id: 'test',
      header: t('attribution'),
      align: 'end',
      cell: (page) => (
        <Button icon={<FlaskConical aria-hidden />} onPress={() => setTested(page)}>
          {t('test')}
        </Button>
      ),
    },
  ];
  const addButton = scope.can('diagnostics:manage') && (
    <Button icon={<Plus aria-hidden />} onPress={() => setAdding(true)}>
      {t('add')}
    </Button>
  );
  return (
    <AdminSection title={t('title')} description={t('text')} action={addButton}>
      {pages.error ? (
        <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
      ) : rows?.length === 0 ? (
        <EmptyState icon={<PanelTop />} title={t('empty')}>
          {t('emptyText')}
        </EmptyState>
      ) : (
        <Table
          label={t('title')}
          columns={columns}
          rows={rows}
          rowKey={(page) => page.slug}
          skeletonRows={2}
        />
      )}
      <LoadMore pages={pages} />
      <LandingPageDialog
        isOpen={isAdding}
        onOpenChange={setAdding}
        onSaved={() => queries.invalidateQueries({ queryKey: key })}
      />
      {tested && <AttributionDialog page={tested} onClose={() => setTested(null)} />}
    </AdminSection>
  );
}
