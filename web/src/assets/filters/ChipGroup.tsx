import type { ReactNode } from 'react';
import { ToggleChip } from '../../ui/Chip';
import styles from './FilterMenu.module.css';

export function ChipGroup({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      <div>{children}</div>
    </fieldset>
  );
}

export interface ToggleChipsProps<Value> {
  readonly values: readonly Value[];
  readonly selected: Value | undefined;
  labelOf: (value: Value) => ReactNode;
  onChange: (value: Value | undefined) => void;
}

/** One of several values, or none. */
export function ToggleChips<Value extends string | boolean>(props: ToggleChipsProps<Value>) {
  const { values, selected, labelOf, onChange } = props;
  return values.map((value) => (
    <ToggleChip
      key={String(value)}
      isSelected={selected === value}
      onChange={(isOn) => onChange(isOn ? value : undefined)}
    >
      {labelOf(value)}
    </ToggleChip>
  ));
}
