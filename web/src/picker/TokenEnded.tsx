import { Hourglass } from 'lucide-react';
import { useTranslations } from '../i18n';
import { ApiProblem } from '../api/problem';
import { Button } from '../ui/Button';
import { EmptyState } from '../ui/EmptyState';
import { ErrorState } from '../ui/ErrorState';
import styles from './Picker.module.css';

export interface TokenEndedProps {
  /** Why the last token could not be exchanged. */
  error: unknown;
  onAskAgain: () => void;
  onSignIn: () => void;
}

/** The embedding page was asked for another token; if it does not respond, the user can sign in. */
export function TokenEnded({ error, onAskAgain, onSignIn }: TokenEndedProps) {
  const t = useTranslations('picker');
  const actions = (
    <div className={styles.actions}>
      <Button variant="primary" onPress={onAskAgain}>
        {t('tryAgain')}
      </Button>
      <Button onPress={onSignIn}>{t('signInInstead')}</Button>
    </div>
  );
  const isRejected = error instanceof ApiProblem && error.status === 401;
  return (
    <main className={styles.page}>
      {error === null || isRejected ? (
        <EmptyState level={1} icon={<Hourglass aria-hidden />} title={t('tokenEnded')} action={actions}>
          {t('tokenEndedText')}
        </EmptyState>
      ) : (
        <ErrorState level={1} error={error} action={actions} />
      )}
    </main>
  );
}
