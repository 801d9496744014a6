import { type ReactNode, type Ref, useId } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components/TextField';
import { useTranslations } from '../i18n';
import styles from './Field.module.css';
import { classNames } from './class-names';

export interface TextFieldProps extends Omit<AriaTextFieldProps, 'children' | 'className' | 'isRequired'> {
  label: string;
  /** Keeps the label for screen readers only. */
  isLabelHidden?: boolean;
  description?: ReactNode;
  placeholder?: string;
  /** Shows a text area with this many lines. */
  rows?: number;
  /** Shows "optional" next to the label. */
  isOptional?: boolean;
  /** Makes the field required, and says what to enter if it is left empty. */
  missing?: string;
  /** Values that are offered while typing. */
  suggestions?: readonly string[];
  /** A control at the end of the field. */
  end?: ReactNode;
  className?: string;
  inputClassName?: string;
  inputRef?: Ref<HTMLInputElement>;
}

export function TextField({
  label,
  isLabelHidden,
  description,
  placeholder,
  rows,
  isOptional,
  missing,
  suggestions,
  end,
  className,
  inputClassName,
  inputRef,
  ...props
}: TextFieldProps) {
  const t = useTranslations('ui');
  const list = useId();
  const inputClass = classNames(styles.input, inputClassName);
  return (
    <AriaTextField
      {...props}
      isRequired={missing !== undefined}
      className={classNames(styles.field, className)}
    >
      <Label className={isLabelHidden ? 'visually-hidden' : styles.label}>
        {label}
        {isOptional && <span className={styles.optional}>{t('optional')}</span>}
      </Label>
      <div className={end ? styles.withEnd : undefined}>
        {rows ? (
          <TextArea className={inputClass} rows={rows} placeholder={placeholder} />
        ) : (
          <Input className={inputClass} placeholder={placeholder} ref={inputRef} list={suggestions && list} />
        )}
        {suggestions && (
          <datalist id={list}>
            {suggestions.map((value) => (
              <option key={value} value={value} />
            ))}
          </datalist>
        )}
        {end && <div className={styles.end}>{end}</div>}
      </div>
      {description && (
        <Text slot="description" className={styles.description}>
          {description}
        </Text>
      )}
      <FieldError className={styles.error}>
        {({ validationDetails, defaultChildren }) =>
          (validationDetails.valueMissing && missing) || defaultChildren
        }
      </FieldError>
    </AriaTextField>
  );
}
