import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import styles from './Chip.module.css';
import { classNames } from './class-names';

export interface ChipProps {
  icon?: ReactNode;
  children: ReactNode;
  /** With `onRemove`, the accessible name of its button. */
  removeLabel?: string;
  onRemove?: () => void;
}

/** A tag or an active filter. */
export function Chip({ icon, children, removeLabel, onRemove }: ChipProps) {
  return (
    <span className={classNames(styles.chip, onRemove && styles.removable)}>
      {icon}
      <span className={styles.text}>{children}</span>
      {onRemove && (
        <Button className={styles.remove} aria-label={removeLabel} onPress={onRemove}>
          <X aria-hidden />
        </Button>
      )}
    </span>
  );
}

export interface ToggleChipProps {
  icon?: ReactNode;
  children: ReactNode;
  /** Mixed: not for all of those it applies to. Pressing it selects it for all. */
  isSelected: boolean | 'mixed';
  onChange: (isSelected: boolean) => void;
  isDisabled?: boolean;
}

/** One of several options that can be toggled. */
export function ToggleChip({ icon, children, isSelected, onChange, isDisabled }: ToggleChipProps) {
  return (
    <Button
      className={classNames(styles.chip, isSelected === true && styles.selected)}
      aria-pressed={isSelected}
      onPress={() => onChange(isSelected !== true)}
      isDisabled={isDisabled}
    >
      {icon}
      <span className={styles.text}>{children}</span>
    </Button>
  );
}
