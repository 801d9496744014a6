import { Search, X } from 'lucide-react';
import type { Ref } from 'react';
import { Button } from 'react-aria-components/Button';
import { Input } from 'react-aria-components/Input';
import {
  SearchField as AriaSearchField,
  type SearchFieldProps as AriaSearchFieldProps,
} from 'react-aria-components/SearchField';
import { useTranslations } from '../i18n';
import styles from './SearchField.module.css';
import { classNames } from './class-names';

export interface SearchFieldProps extends Omit<
  AriaSearchFieldProps,
  'children' | 'className' | 'aria-label'
> {
  label: string;
  placeholder?: string;
  /** The key that focuses the field, shown at its end. */
  shortcut?: string;
  className?: string;
  inputRef?: Ref<HTMLInputElement>;
}

export function SearchField({
  label,
  placeholder,
  shortcut,
  className,
  inputRef,
  ...props
}: SearchFieldProps) {
  const t = useTranslations('ui');
  return (
    <AriaSearchField {...props} aria-label={label} className={classNames(styles.search, className)}>
      <Search className={styles.icon} size={16} aria-hidden />
      <Input className={styles.input} placeholder={placeholder} ref={inputRef} />
      {shortcut && (
        <kbd className={styles.hint} aria-hidden>
          {shortcut}
        </kbd>
      )}
      <Button className={styles.clear} aria-label={t('clear')}>
        <X size={14} aria-hidden />
      </Button>
    </AriaSearchField>
  );
}
