import { ChevronDown, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from '../../i18n';
import { Badge } from '../../ui/Badge';
import { ErrorState } from '../../ui/ErrorState';
import { Skeleton } from '../../ui/Skeleton';
import { TimeCell } from '../shared/Cell';
import styles from './DiagnosticCard.module.css';
import type { Verdict } from './verdicts';

type Subject = 'storage' | 'agents' | 'ads' | 'attribution';

interface DiagnosticCardProps<S extends Subject> {
  subject: S;
  icon: LucideIcon;
  /** Undefined while it is being loaded. */
  verdict: Verdict<S> | undefined;
  /** When the newest information arrived. */
  at: string | null;
  error: unknown;
  onRetry: () => void;
  children: ReactNode;
}

/** How one subject is, in a sentence, with what to do about it. The details unfold. */
export function DiagnosticCard<S extends Subject>({
  subject,
  icon: Icon,
  verdict,
  at,
  error,
  onRetry,
  children,
}: DiagnosticCardProps<S>) {
  const t = useTranslations('admin.verdicts');
  const text = (part: 'badge' | 'text' | 'todo') => {
    const key = `${subject}.${String(verdict?.key)}.${part}` as 'agents.failed.text';
    return t.has(key) ? t(key, { count: verdict?.count ?? 0 }) : null;
  };
  const name: Subject = subject;
  const todo = text('todo');
  return (
    <details className={styles.card}>
      <summary className={styles.summary}>
        <Icon className={styles.icon} size={20} aria-hidden />
        <div className={styles.words}>
          <h2 className={styles.title}>{t(`${name}.title`)}</h2>
          {verdict ? (
            <>
              <span className={styles.state}>{text('text')}</span>
              {todo && <span className={styles.todo}>{todo}</span>}
            </>
          ) : error ? (
            <span className={styles.state}>{t('failed')}</span>
          ) : (
            <Skeleton width="60%" />
          )}
        </div>
        <div className={styles.side}>
          {verdict && <Badge tone={verdict.tone}>{text('badge')}</Badge>}
          {at && (
            <span className={styles.at}>
              {t(`${name}.at`)} <TimeCell at={at} />
            </span>
          )}
        </div>
        <ChevronDown className={styles.chevron} size={18} aria-hidden />
      </summary>
      <div className={styles.details}>
        {error && !verdict ? <ErrorState error={error} onRetry={onRetry} /> : children}
      </div>
    </details>
  );
}
