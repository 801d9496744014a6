import { Check } from 'lucide-react';
import styles from './Checkbox.module.css';
import field from './Field.module.css';

export interface CheckboxGroupProps<Id extends string> {
  label: string;
  options: readonly { id: Id; label: string }[];
  value: readonly Id[];
  onChange: (value: Id[]) => void;
}

/** Selects several of a few options; the value is in the order of the options. */
export function CheckboxGroup<Id extends string>(props: CheckboxGroupProps<Id>) {
  const { label, options, value, onChange } = props;
  const toggle = (id: Id, isChosen: boolean) =>
    onChange(
      options.map((option) => option.id).filter((each) => (each === id ? isChosen : value.includes(each))),
    );
  return (
    <fieldset className={styles.group}>
      <legend className={field.label}>{label}</legend>
      <div className={styles.list}>
        {options.map((option) => (
          <label key={option.id} className={styles.checkbox}>
            <input
              type="checkbox"
              className="visually-hidden"
              checked={value.includes(option.id)}
              onChange={(event) => toggle(option.id, event.target.checked)}
            />
            <span className={styles.box} aria-hidden>
              <Check size={14} strokeWidth={3} />
            </span>
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
