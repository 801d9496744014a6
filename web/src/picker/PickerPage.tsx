import { QueryClientProvider } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Frame, Info } from 'lucide-react';
import { useMemo, useState } from 'react';
import { queryClient } from '../api/query-client';
import { ScopeProvider } from '../scope/scope';
import { useTranslations } from '../i18n';
import { libraryTexts } from '../i18n/library-texts';
import { addTexts } from '../i18n/messages';
import { SignInForm } from '../sign-in/SignInForm';
import { sideOf, useSessionState } from '../api/use-session';
import { EmptyState } from '../ui/EmptyState';
import { ClientChoice } from './ClientChoice';
import { embeddingOrigin, type PickerMessage, tellParent } from './parent-window';
import { OpenLibrary } from './NotRemembered';
import styles from './Picker.module.css';
import { PickerLibrary } from './PickerLibrary';
import { TokenEnded } from './TokenEnded';
import { useTokenAccess } from './use-token-access';

addTexts(libraryTexts);

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
  const { access, ask, signInInstead } = useTokenAccess(origin);
  if (origin === null) {
    return (
      <main className={styles.page}>
        <EmptyState level={1} icon={<Frame aria-hidden />} title={t('notEmbedded')}>
          {t('notEmbeddedText')}
        </EmptyState>
      </main>
    );
  }
  const tell = (message: PickerMessage) => tellParent(origin, message);
  const actions = {
    onPick: (assetRefs: string[]) => tell({ type: 'client-asset-library:picked', assetRefs }),
    onCancel: () => tell({ type: 'client-asset-library:cancelled' }),
  };
  if (access.status === 'opening') return null;
  if (access.status === 'ended')
    return <TokenEnded error={access.error} onAskAgain={ask} onSignIn={signInInstead} />;
  if (access.status === 'open') {
    const { clientId, surface, multiple } = access.allowed;
    return (
      <ScopeProvider clientId={clientId}>
        <PickerLibrary {...actions} surface={surface ?? search.surface} isMultiple={multiple} />
      </ScopeProvider>
    );
  }
  if (status !== 'signedIn' || !user) return <PickerSignIn />;
  const isAdmin = sideOf(user) === 'admin';
  if (isAdmin && client.clientId === undefined) {
    const choose = (clientId: string, isOnlyOne: boolean) => setClient({ clientId, isOnlyOne });
    return <ClientChoice onChoose={choose} onCancel={actions.onCancel} />;
  }
  const chooseAgain = () => setClient({ clientId: undefined, isOnlyOne: false });
  return (
    <ScopeProvider clientId={isAdmin ? client.clientId : undefined}>
      <PickerLibrary
        {...actions}
        surface={search.surface}
        isMultiple={search.multiple ?? false}
        onOtherClient={isAdmin && !client.isOnlyOne ? chooseAgain : undefined}
      />
    </ScopeProvider>
  );
}

function PickerSignIn() {
  const t = useTranslations('picker');
  const reasons = useTranslations('session.reason');
  const { reason } = useSessionState();
  return (
    <main className={styles.signIn}>
      <h1 className={styles.signInTitle}>{t('signIn')}</h1>
      {reason && (
        <div className={styles.notice} role="status">
          <Info size={16} aria-hidden />
          <p>
            {reasons(reason)} {reason === 'forgotten' && <OpenLibrary />}
          </p>
        </div>
      )}
      <SignInForm />
    </main>
  );
}
