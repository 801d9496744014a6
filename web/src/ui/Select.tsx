import { Check, ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Button,
  FieldError,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
  Text,
} from 'react-aria-components/Select';
import { useTranslations } from '../i18n';
import field from './Field.module.css';
import menu from './Menu.module.css';
import styles from './Select.module.css';
import { classNames } from './class-names';

export interface SelectOption<Value extends string = string> {
  id: Value;
  label: string;
  description?: string;
}

export interface SelectProps<Value extends string> {
  label: string;
  /** Keeps the label for screen readers only. */
  isLabelHidden?: boolean;
  options: readonly SelectOption<Value>[];
  value?: Value | null;
  defaultValue?: Value;
  onChange?: (value: Value) => void;
  /** `quiet` for toolbars, `field` for forms. */
  variant?: 'field' | 'quiet';
  name?: string;
  placeholder?: string;
  description?: ReactNode;
  isOptional?: boolean;
  /** Requires a choice, and says so if there is none. */
  missing?: string;
  isDisabled?: boolean;
  className?: string;
}

export function Select<Value extends string>({
  label,
  isLabelHidden,
  options,
  value,
  defaultValue,
  onChange,
  variant = 'field',
  description,
  isOptional,
  missing,
  className,
  ...props
}: SelectProps<Value>) {
  const t = useTranslations('ui');
  return (
    <AriaSelect
      {...props}
      isRequired={missing !== undefined}
      aria-label={isLabelHidden ? label : undefined}
      value={value}
      defaultValue={defaultValue}
      onChange={(key) => onChange?.(key as Value)}
      className={classNames(styles.select, variant === 'quiet' && styles.quiet, className)}
    >
      {!isLabelHidden && (
        <Label className={field.label}>
          {label}
          {isOptional && <span className={field.optional}>{t('optional')}</span>}
        </Label>
      )}
      <Button className={styles.button}>
        <SelectValue className={styles.value}>
          {({ isPlaceholder, selectedText, defaultChildren }) =>
            isPlaceholder ? defaultChildren : selectedText
          }
        </SelectValue>
        <ChevronDown className={styles.chevron} size={16} aria-hidden />
      </Button>
      {description && (
        <Text slot="description" className={field.description}>
          {description}
        </Text>
      )}
      <FieldError className={field.error}>{missing}</FieldError>
      <Popover className={classNames(menu.popover, styles.popover)} offset={4}>
        <ListBox items={options} className={menu.menu}>
          {(option) => (
            <ListBoxItem id={option.id} textValue={option.label} className={menu.item}>
              {({ isSelected }) => (
                <>
                  <Text slot="label" className={menu.text}>
                    <span>{option.label}</span>
                    {option.description && <span className={menu.description}>{option.description}</span>}
                  </Text>
                  <Check className={classNames(menu.check, !isSelected && menu.off)} aria-hidden />
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
