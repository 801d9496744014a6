import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Waypoints } from 'lucide-react';
import { useState } from 'react';
import { adminApi } from '../../api/client';
import { scopeKey, useScope } from '../../scope/scope';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { showToast } from '../../ui/toasts';
import { AdminPage } from '../shared/AdminPage';
import { TargetDialog } from './TargetDialog';
import { targetsQuery, type Diagnosis, type Target } from './targets-query';
import { TargetsTable } from './TargetsTable';
import { VerifyDialog } from './VerifyDialog';

/** The systems that a client's assets are delivered to. */
export function TargetsPage() {
  const t = useTranslations('admin.targets');
  const scope = useScope();
  const queries = useQueryClient();
  const { data: targets, error, refetch } = useQuery(targetsQuery(scope));
  const [edited, setEdited] = useState<{ target?: Target; replaced?: Target } | null>(null);
  const [verified, setVerified] = useState<{ target: Target; result?: Diagnosis } | null>(null);
  const [deleting, setDeleting] = useState<Target | null>(null);
  const remove = async ({ targetId, name }: Target) => {
    const params = { path: { clientId: scope.clientId, targetId } };
    await adminApi.DELETE('/admin/clients/{clientId}/targets/{targetId}', { params });
    showToast({ tone: 'success', title: t('deleted', { name }) });
    await queries.invalidateQueries({ queryKey: scopeKey(scope, 'targets') });
  };
  const openFromVerification = (dialog: { target?: Target; replaced?: Target }) => {
    setVerified(null);
    setEdited(dialog);
  };
  const addButton = scope.can('targets:manage') && (
    <Button variant="primary" icon={<Plus aria-hidden />} onPress={() => setEdited({})}>
      {t('add')}
    </Button>
  );
  return (
    <AdminPage
      title={t('title')}
      description={t('description')}
      action={targets && targets.length > 0 && addButton}
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : targets?.length === 0 ? (
        <EmptyState icon={<Waypoints />} title={t('empty')} action={addButton}>
          {addButton ? t('emptyText') : t('emptyReader')}
        </EmptyState>
      ) : (
        <TargetsTable
          targets={targets}
          onVerify={(target) => setVerified({ target })}
          onEdit={(target) => setEdited({ target })}
          onDelete={setDeleting}
        />
      )}
      {edited && (
        <TargetDialog
          {...edited}
          onClose={() => setEdited(null)}
          onVerified={(target, result) => setVerified({ target, result })}
        />
      )}
      {verified && (
        <VerifyDialog
          {...verified}
          onClose={() => setVerified(null)}
          onEdit={(target) => openFromVerification({ target })}
          onReplace={(replaced) => openFromVerification({ replaced })}
        />
      )}
      <ConfirmDialog
        title={t('deleteTitle', { name: deleting?.name ?? '' })}
        confirmLabel={t('delete')}
        isOpen={deleting !== null}
        onOpenChange={() => setDeleting(null)}
        onConfirm={() => (deleting ? remove(deleting) : undefined)}
      >
        {t('deleteText')}
      </ConfirmDialog>
    </AdminPage>
  );
}
