import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { adminApi } from '../../api/client';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { showToast } from '../../ui/toasts';
import { AdminPage } from '../shared/AdminPage';
import { LoadMore } from '../shared/LoadMore';
import { apiKeysQuery, type ApiKey } from './api-keys-query';
import { ApiKeysTable } from './ApiKeysTable';
import { CreateApiKeyDialog } from './CreateApiKeyDialog';

export function ApiKeysPage() {
  const t = useTranslations('admin.apiKeys');
  const queries = useQueryClient();
  const keys = useInfiniteQuery(apiKeysQuery);
  const rows = keys.data?.pages.flatMap((page) => page.apiKeys);
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const revoke = async ({ keyId, name }: ApiKey) => {
    await adminApi.DELETE('/admin/api-keys/{keyId}', { params: { path: { keyId } } });
    showToast({ tone: 'success', title: t('revoked', { name }) });
    await queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
  };
  const createButton = (
    <Button variant="primary" icon={<Plus aria-hidden />} onPress={() => setCreating(true)}>
      {t('create')}
    </Button>
  );
  return (
    <AdminPage
      title={t('title')}
      description={t('description')}
      action={rows && rows.length > 0 && createButton}
    >
      {keys.error ? (
        <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
      ) : rows?.length === 0 ? (
        <EmptyState icon={<KeyRound />} title={t('empty')} action={createButton}>
          {t('emptyText')}
        </EmptyState>
      ) : (
        <ApiKeysTable keys={rows} onRevoke={setRevoking} />
      )}
      <LoadMore pages={keys} />
      <CreateApiKeyDialog isOpen={isCreating} onOpenChange={setCreating} />
      <ConfirmDialog
        title={t('revokeTitle', { name: revoking?.name ?? '' })}
        confirmLabel={t('revoke')}
        isOpen={revoking !== null}
        onOpenChange={() => setRevoking(null)}
        onConfirm={() => (revoking ? revoke(revoking) : undefined)}
      >
        {t('revokeText')}
      </ConfirmDialog>
    </AdminPage>
  );
}
