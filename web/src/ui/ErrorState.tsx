import { CircleAlert, TriangleAlert } from 'lucide-react';
import { useCallback, type ReactNode } from 'react';
import { wordingForClients } from '../api/client-wording';
import { ApiProblem } from '../api/problem';
import { useTranslations } from '../i18n';
import { sideOf, useSessionState } from '../api/use-session';
import { Button } from './Button';
import styles from './ErrorState.module.css';
import { classNames } from './class-names';

export interface ProblemText {
  title: string;
  detail: string;
  requestId: string | null;
}

/** The texts to show for any error. Only operators can do something about technical ones; everyone else reads other words. */
export function useProblemText(): (error: unknown) => ProblemText {
  const t = useTranslations('ui');
  const { user } = useSessionState();
  const isOperator = user !== null && sideOf(user) === 'admin';
  return useCallback(
    (error) => {
      const problem = error instanceof ApiProblem ? error : null;
      const requestId = problem?.requestId ?? null;
      const wording = isOperator ? null : problem ? wordingForClients(problem) : 'unexpected';
      if (wording !== null)
        return {
          title: t(`forClients.${wording}.title`),
          detail: t(`forClients.${wording}.detail`),
          requestId,
        };
      return problem
        ? { title: problem.title, detail: problem.detail, requestId }
        : { title: t('unexpected'), detail: t('unexpectedDetail'), requestId };
    },
    [t, isOperator],
  );
}

export interface ErrorStateProps {
  error: unknown;
  /** What failed. The title of the problem then becomes part of the detail. */
  title?: string;
  onRetry?: () => void;
  action?: ReactNode;
  /** 1 if nothing else is on the page. */
  level?: 1 | 2;
}

/** Replaces content that could not be loaded. */
export function ErrorState({ error, title, onRetry, action, level = 2 }: ErrorStateProps) {
  const Heading = `h${level}` as const;
  const t = useTranslations('ui');
  const problem = useProblemText()(error);
  return (
    <div className={styles.state} role="alert">
      <div className={styles.icon}>
        <CircleAlert size={24} aria-hidden />
      </div>
      <Heading className={styles.title}>{title ?? problem.title}</Heading>
      {title && <p className={styles.detail}>{problem.title}</p>}
      {problem.detail && problem.detail !== problem.title && (
        <p className={styles.detail}>{problem.detail}</p>
      )}
      {(onRetry || action) && (
        <div className={styles.action}>{action ?? <Button onPress={onRetry}>{t('tryAgain')}</Button>}</div>
      )}
      <RequestId id={problem.requestId} />
    </div>
  );
}

/** A problem inside a form or a panel. */
export function ProblemNote({ error, children }: { error: unknown; children?: ReactNode }) {
  const problem = useProblemText()(error);
  return (
    <div className={styles.note} role="alert">
      <CircleAlert size={16} aria-hidden />
      <div>
        <strong>{problem.title}</strong>
        {problem.detail && problem.detail !== problem.title && (
          <p className={styles.detail}>{problem.detail}</p>
        )}
        {children && <p className={styles.detail}>{children}</p>}
        <RequestId id={problem.requestId} />
      </div>
    </div>
  );
}

/** Something to know before going on. */
export function WarningNote({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={classNames(styles.note, styles.warning)} role="status">
      <TriangleAlert size={16} aria-hidden />
      <div>
        <strong>{title}</strong>
        {children && <p className={styles.detail}>{children}</p>}
      </div>
    </div>
  );
}

function RequestId({ id }: { id: string | null }) {
  const t = useTranslations('ui');
  if (!id) return null;
  return (
    <p className={styles.requestId}>{t.rich('requestId', { id, code: (text) => <code>{text}</code> })}</p>
  );
}
