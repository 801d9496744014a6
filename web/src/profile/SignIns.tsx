import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import { AdminSection } from '../admin/shared/AdminPage';
import { TimeCell, TitleCell } from '../admin/shared/Cell';
import { LoadMore } from '../admin/shared/LoadMore';
import { adminApi } from '../api/client';
import { useTranslations } from '../i18n';
import { Badge } from '../ui/Badge';
import { Button } from '../ui/Button';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { ErrorState } from '../ui/ErrorState';
import { Table, type TableColumn } from '../ui/Table';
import { showToast } from '../ui/toasts';
import { useProblemToast } from '../ui/use-problem-toast';
import { deviceName } from './device-name';
import { signInsQuery, type SignIn } from './sign-ins-query';

/** Where the user is signed in, and the means to end it. */
export function SignIns() {
  const t = useTranslations('account.profile');
  const queries = useQueryClient();
  const signIns = useInfiniteQuery(signInsQuery);
  const problemToast = useProblemToast();
  const [isAsking, setAsking] = useState(false);
  const rows = signIns.data?.pages.flatMap((page) => page.signIns);

  const nameOf = ({ userAgent }: SignIn): string => {
    const device = deviceName(userAgent);
    if (device === null) return t('unknownDevice');
    const { browser, system } = device;
    return system === null ? browser : t('browserOn', { browser, system });
  };
  const end = async (signIn: SignIn) => {
    const params = { path: { signInId: signIn.signInId } };
    await adminApi.DELETE('/auth/sign-ins/{signInId}', { params });
    showToast({ tone: 'success', title: t('ended', { device: nameOf(signIn) }) });
    await queries.invalidateQueries({ queryKey: signInsQuery.queryKey });
  };
  const endOthers = async () => {
    await adminApi.DELETE('/auth/sign-ins');
    showToast({ tone: 'success', title: t('othersEnded') });
    await queries.invalidateQueries({ queryKey: signInsQuery.queryKey });
  };
  const columns: TableColumn<SignIn>[] = [
    {
      id: 'device',
      header: t('device'),
      kind: 'lead',
      cell: (signIn) => (
        <TitleCell
          mark={<MonitorSmartphone size={18} aria-hidden />}
          title={nameOf(signIn)}
          minor={signIn.isCurrent && <Badge tone="accent">{t('thisDevice')}</Badge>}
        />
      ),
    },
    { id: 'lastUsed', header: t('lastUsed'), cell: ({ lastUsedAt }) => <TimeCell at={lastUsedAt} /> },
    { id: 'signedIn', header: t('signedIn'), cell: ({ createdAt }) => <TimeCell at={createdAt} /> },
    {
      id: 'actions',
      header: t('actions'),
      kind: 'buttons',
      align: 'end',
      cell: (signIn) =>
        !signIn.isCurrent && (
          <Button
            aria-label={t('endNamed', { device: nameOf(signIn) })}
            onPress={() => void end(signIn).catch(problemToast)}
          >
            {t('end')}
          </Button>
        ),
    },
  ];
  return (
    <AdminSection
      title={t('signIns')}
      description={t('signInsText')}
      action={rows && rows.length > 1 && <Button onPress={() => setAsking(true)}>{t('endOthers')}</Button>}
    >
      {signIns.error ? (
        <ErrorState error={signIns.error} onRetry={() => void signIns.refetch()} />
      ) : (
        <Table label={t('signIns')} columns={columns} rows={rows} rowKey={({ signInId }) => signInId} />
      )}
      <LoadMore pages={signIns} />
      <ConfirmDialog
        title={t('endOthersTitle')}
        confirmLabel={t('endOthers')}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={endOthers}
      >
        {t('endOthersText')}
      </ConfirmDialog>
    </AdminSection>
  );
}
