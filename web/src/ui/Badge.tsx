import type { ReactNode } from 'react';
import styles from './Badge.module.css';
import { classNames } from './class-names';

export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger';

export interface BadgeProps {
  tone?: Tone;
  /** Colour alone must not convey the meaning: add an icon or a word. */
  icon?: ReactNode;
  children: ReactNode;
  className?: string;
}

export function Badge({ tone = 'neutral', icon, children, className }: BadgeProps) {
  return (
    <span className={classNames(styles.badge, tone !== 'neutral' && styles[tone], className)}>
      {icon}
      {children}
    </span>
  );
}
