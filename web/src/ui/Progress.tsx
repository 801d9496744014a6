import { ProgressBar } from 'react-aria-components/ProgressBar';
import styles from './Progress.module.css';
import { classNames } from './class-names';

export interface ProgressProps {
  label: string;
  /** 0 to 1. */
  value: number;
  tone?: 'normal' | 'success' | 'danger';
}

export function Progress({ label, value, tone = 'normal' }: ProgressProps) {
  return (
    <ProgressBar className={styles.progress} aria-label={label} value={Math.round(value * 100)}>
      <div className={styles.track}>
        <div
          className={classNames(styles.bar, tone !== 'normal' && styles[tone])}
          style={{ transform: `scaleX(${Math.min(Math.max(value, 0), 1)})` }}
        />
      </div>
    </ProgressBar>
  );
}
