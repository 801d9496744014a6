import { Search, X } from 'lucide-react';
import { type RefObject, useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { useTranslations } from '../i18n';
import styles from './SearchField.module.css';
import { classNames } from './class-names';

export interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  maxLength?: number;
  autoFocus?: boolean;
  /** The key that focuses the field, shown at its end. */
  shortcut?: string;
  className?: string;
  inputRef?: RefObject<HTMLInputElement | null>;
}

/** Escape first clears the field; only then does it reach the parent of the field. */
export function SearchField(props: SearchFieldProps) {
  const { label, value, onChange, placeholder, maxLength, autoFocus, shortcut, className, inputRef } = props;
  const t = useTranslations('ui');
  const ownRef = useRef<HTMLInputElement>(null);
  const input = inputRef ?? ownRef;
  return (
    <div className={classNames(styles.search, className)} data-empty={value === '' || undefined}>
      <Search className={styles.icon} size={16} aria-hidden />
      <input
        ref={input}
        type="search"
        className={styles.input}
        aria-label={label}
        value={value}
        placeholder={placeholder}
        maxLength={maxLength}
        autoFocus={autoFocus}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return;
          event.preventDefault();
          event.stopPropagation();
          onChange('');
        }}
      />
      {shortcut && (
        <kbd className={styles.hint} aria-hidden>
          {shortcut}
        </kbd>
      )}
      <Button
        className={styles.clear}
        aria-label={t('clear')}
        excludeFromTabOrder
        onPress={() => {
          onChange('');
          input.current?.focus();
        }}
      >
        <X size={14} aria-hidden />
      </Button>
    </div>
  );
}
