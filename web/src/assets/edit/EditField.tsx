import type { ReactNode } from 'react';
import { useTranslations } from '../../i18n';
import { Switch } from '../../ui/Switch';
import styles from './EditDialog.module.css';

export interface EditFieldProps {
  readonly label: string;
  /** What all of the assets have; undefined if they differ. */
  readonly now: string | undefined;
  /** Off leaves the field as it is. */
  readonly isOn: boolean;
  onSwitch: (isOn: boolean) => void;
  readonly children: ReactNode;
}

export function EditField({ label, now, isOn, onSwitch, children }: EditFieldProps) {
  const t = useTranslations('details.editMany');
  const value = now === undefined ? t('mixed') : now || t('empty');
  return (
    <div className={styles.field}>
      <Switch
        isSelected={isOn}
        onChange={onSwitch}
        description={!isOn && <span className={styles.now}>{t('leave', { value })}</span>}
      >
        {label}
      </Switch>
      {isOn && children}
    </div>
  );
}
