import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { apiFor, body } from '../api/client';
import type { components } from '../api/schema';
import { useScope } from '../scope/scope';
import { useClientName } from '../scope/use-client-name';
import { usePageTitle } from '../ui/use-page-title';
import { useAssetFormats } from '../library/formats';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { EmptyState } from '../ui/EmptyState';
import { ErrorState } from '../ui/ErrorState';
import { Table, type TableColumn } from '../ui/Table';
import { showToast } from '../ui/toasts';
import { TrashPictures } from './TrashPictures';
import { useRestore } from './use-restore';
import styles from './TrashPage.module.css';

type TrashItem = components['schemas']['TrashItemDto'];
/** What to delete permanently: one batch, or everything. */
type Purge = TrashItem | 'all';

export function TrashPage() {
  const t = useTranslations('trash');
  const scope = useScope();
  const [purging, setPurging] = useState<Purge | null>(null);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useTrash();
  const columns = useColumns(setPurging);
  const items = data?.pages.flatMap((page) => page.items);
  const canWrite = scope.can('assets:write');
  usePageTitle(t('title'), useClientName());
  return (
    <main className={styles.page}>
      <header className={styles.header}>
        <BackLink />
        <h1>{t('title')}</h1>
        {canWrite && items && items.length > 0 && (
          <Button
            variant="dangerGhost"
            icon={<Trash2 size={16} aria-hidden />}
            onPress={() => setPurging('all')}
          >
            {t('empty')}
          </Button>
        )}
      </header>
      {error ? (
        <ErrorState error={error} title={t('error')} onRetry={() => void refetch()} />
      ) : items?.length === 0 ? (
        <EmptyState icon={<Trash2 size={28} />} title={t('nothing.title')}>
          {t('nothing.text')}
        </EmptyState>
      ) : (
        <>
          <p className={styles.hint}>{t('hint')}</p>
          <Table label={t('title')} columns={columns} rows={items} rowKey={({ batchId }) => batchId} />
          {hasNextPage && (
            <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
              {t('more')}
            </Button>
          )}
        </>
      )}
      {purging && <PurgeDialog purge={purging} onClose={() => setPurging(null)} />}
    </main>
  );
}

function useTrash() {
  const { basePath } = useScope();
  return useInfiniteQuery({
    queryKey: [basePath, 'trash'],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 100, ...(pageParam ? { cursor: pageParam } : {}) };
      return body(apiFor(basePath).GET('/assets/trash', { params: { query }, signal }));
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

function useColumns(onPurge: (item: TrashItem) => void): TableColumn<TrashItem>[] {
  const t = useTranslations('trash');
  const formats = useAssetFormats();
  const canWrite = useScope().can('assets:write');
  const restore = useRestore();
  const columns: TableColumn<TrashItem>[] = [
    {
      id: 'name',
      header: t('name'),
      kind: 'lead',
      cell: (item) => (
        <span className={styles.name}>
          <TrashPictures item={item} />
          {item.name}
        </span>
      ),
    },
    {
      id: 'contents',
      header: t('contents'),
      cell: ({ assets, folders, folderId }) =>
        folderId
          ? t('folder', { assets, folders: Math.max(0, folders - 1) })
          : t('assets', { count: assets }),
    },
    {
      id: 'trashed',
      header: t('trashed'),
      cell: ({ trashedAt, trashedBy }) => (
        <span className={styles.two}>
          {formats.dateTime(trashedAt)}
          <span>{trashedBy}</span>
        </span>
      ),
    },
    { id: 'until', header: t('until'), cell: ({ restorableUntil }) => formats.date(restorableUntil) },
  ];
  if (!canWrite) return columns;
  return [
    ...columns,
    {
      id: 'actions',
      header: t('actions'),
      kind: 'buttons',
      align: 'end',
      cell: (item) => (
        <span className={styles.actions}>
          <Button
            onPress={() => void restore([item.batchId])}
            aria-label={t('restoreName', { name: item.name })}
          >
            {t('restore')}
          </Button>
          <Button
            variant="dangerGhost"
            icon={<Trash2 size={16} aria-hidden />}
            aria-label={t('purgeName', { name: item.name })}
            onPress={() => onPurge(item)}
          />
        </span>
      ),
    },
  ];
}

function PurgeDialog({ purge, onClose }: { purge: Purge; onClose: () => void }) {
  const t = useTranslations('trash.purge');
  const { basePath } = useScope();
  const client = useQueryClient();
  const confirm = async () => {
    const batchId = purge === 'all' ? {} : { batchId: purge.batchId };
    await apiFor(basePath).DELETE('/assets/trash', { params: { query: batchId }, body: {} });
    await client.invalidateQueries({ queryKey: [basePath, 'trash'] });
    showToast({ tone: 'success', title: t(purge === 'all' ? 'doneAll' : 'done') });
  };
  return (
    <ConfirmDialog
      title={t(purge === 'all' ? 'titleAll' : 'title')}
      confirmLabel={t(purge === 'all' ? 'confirmAll' : 'confirm')}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onConfirm={confirm}
    >
      {purge === 'all' ? t('textAll') : t('text', { name: purge.name })}
    </ConfirmDialog>
  );
}

function BackLink() {
  const t = useTranslations('trash');
  const scope = useScope();
  const link =
    scope.side === 'portal'
      ? ({ to: '/library' } as const)
      : ({ to: '/clients/$clientId/assets', params: { clientId: scope.clientId } } as const);
  return (
    <Link {...link} className={styles.back} aria-label={t('back')}>
      <ArrowLeft size={18} aria-hidden />
    </Link>
  );
}
