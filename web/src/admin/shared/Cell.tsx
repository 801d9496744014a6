import type { ReactNode } from 'react';
import { useFormat } from '../../i18n/use-format';
import styles from './Cell.module.css';

/** A title with a smaller line below and an optional icon in front. */
export function TitleCell({ mark, title, minor }: { mark?: ReactNode; title: ReactNode; minor?: ReactNode }) {
  return (
    <span className={styles.withMark}>
      {mark}
      <span className={styles.twoLines}>
        <span className={styles.strong}>{title}</span>
        {minor && <span className={styles.minor}>{minor}</span>}
      </span>
    </span>
  );
}

/** How long ago; the exact time on hover. */
export function TimeCell({ at, never }: { at: string | null; never?: string }) {
  const format = useFormat();
  if (!at) return <span className={styles.muted}>{never ?? '–'}</span>;
  return (
    <time className={styles.noWrap} dateTime={at} title={format.dateTime(at)}>
      {format.relative(at)}
    </time>
  );
}

export function Muted({ children }: { children: ReactNode }) {
  return <span className={styles.muted}>{children}</span>;
}
