import type { ReactNode } from 'react';
import { Switch as AriaSwitch, type SwitchProps as AriaSwitchProps } from 'react-aria-components/Switch';
import styles from './Checkbox.module.css';

export interface SwitchProps extends Omit<AriaSwitchProps, 'children' | 'className'> {
  children: ReactNode;
  description?: ReactNode;
}

export function Switch({ children, description, ...props }: SwitchProps) {
  return (
    <AriaSwitch {...props} className={styles.checkbox}>
      <span className={styles.track} aria-hidden />
      <span>
        {children}
        {description && <span className={styles.description}>{description}</span>}
      </span>
    </AriaSwitch>
  );
}
