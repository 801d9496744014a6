import styles from './Progress.module.css';
import { classNames } from './class-names';

export interface ProgressProps {
  label: string;
  /** 0 to 1. */
  value: number;
  tone?: 'normal' | 'success' | 'danger';
}

export function Progress({ label, value, tone = 'normal' }: ProgressProps) {
  const part = Math.min(Math.max(value, 0), 1);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(part * 100)}
      className={styles.track}
    >
      <div
        className={classNames(styles.bar, tone !== 'normal' && styles[tone])}
        style={{ transform: `scaleX(${part})` }}
      />
    </div>
  );
}
