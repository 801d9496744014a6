import { QueryClientProvider } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Frame } from 'lucide-react';
import { useMemo, useState } from 'react';
import { queryClient } from '../api/query-client';
import { ScopeProvider } from '../scope/scope';
import { useTranslations } from '../i18n';
import { SignInForm } from '../sign-in/SignInForm';
import { sideOf, useSessionState } from '../api/use-session';
import { EmptyState } from '../ui/EmptyState';
import { ClientChoice } from './ClientChoice';
import { embeddingOrigin, type PickerMessage, tellParent } from './parent-window';
import styles from './Picker.module.css';
import { PickerLibrary } from './PickerLibrary';

/** For a frame in another page: the user chooses assets, and the page receives their references. */
export function PickerPage() {
  return (
    <QueryClientProvider client={queryClient}>
      <Picker />
    </QueryClientProvider>
  );
}

function Picker() {
  const t = useTranslations('picker');
  const search = useSearch({ from: '/embed/picker' });
  const { status, user } = useSessionState();
  const [client, setClient] = useState({
    clientId: search.clientId,
    isOnlyOne: search.clientId !== undefined,
  });
  const origin = useMemo(() => embeddingOrigin(search.origin), [search.origin]);
  if (origin === null) {
    return (
      <main className={styles.page}>
        <EmptyState level={1} icon={<Frame aria-hidden />} title={t('notEmbedded')}>
          {t('notEmbeddedText')}
        </EmptyState>
      </main>
    );
  }
  if (status !== 'signedIn' || !user) {
    return (
      <main className={styles.signIn}>
        <h1 className={styles.signInTitle}>{t('signIn')}</h1>
        <SignInForm />
      </main>
    );
  }
  const tell = (message: PickerMessage) => tellParent(origin, message);
  const cancel = () => tell({ type: 'client-asset-library:cancelled' });
  const isAdmin = sideOf(user) === 'admin';
  if (isAdmin && client.clientId === undefined) {
    const choose = (clientId: string, isOnlyOne: boolean) => setClient({ clientId, isOnlyOne });
    return <ClientChoice onChoose={choose} onCancel={cancel} />;
  }
  const chooseAgain = () => setClient({ clientId: undefined, isOnlyOne: false });
  return (
    <ScopeProvider clientId={isAdmin ? client.clientId : undefined}>
      <PickerLibrary
        surface={search.surface}
        isMultiple={search.multiple ?? false}
        onPick={(assetRefs) => tell({ type: 'client-asset-library:picked', assetRefs })}
        onCancel={cancel}
        onOtherClient={isAdmin && !client.isOnlyOne ? chooseAgain : undefined}
      />
    </ScopeProvider>
  );
}
