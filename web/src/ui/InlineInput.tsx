import { type KeyboardEvent, type SyntheticEvent, useEffect, useRef } from 'react';
import styles from './InlineInput.module.css';

export interface InlineInputProps {
  readonly value: string;
  readonly label: string;
  readonly maxLength: number;
  readonly placeholder?: string;
  readonly isMultiline?: boolean;
  /** Whether an empty text is rejected. */
  readonly isRequired?: boolean;
  readonly className?: string;
  onSave: (value: string) => void;
  onCancel: () => void;
}

const stop = (event: SyntheticEvent) => event.stopPropagation();

/** A text that is edited in place: Enter and blur save it, Escape discards it. The layout does not shift. */
export function InlineInput(props: InlineInputProps) {
  const { value, label, maxLength, placeholder, isMultiline = false, isRequired = false, className } = props;
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const isDone = useRef(false);

  useEffect(() => {
    isDone.current = false;
    const opener = document.activeElement;
    const place = field.current?.parentElement;
    field.current?.focus({ preventScroll: true });
    field.current?.select();
    const restoreFocus = () => {
      if (document.activeElement !== document.body) return;
      // A text that was itself the button is another element now.
      const next = opener?.isConnected && opener !== document.body ? opener : place?.querySelector('button');
      if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    };
    // On blur, nothing has the focus yet.
    return () => void setTimeout(restoreFocus);
  }, []);

  const finish = (isKept: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    const text = (field.current?.value ?? '').trim();
    if (!isKept || text === value || (isRequired && text === '')) props.onCancel();
    else props.onSave(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !(isMultiline && event.shiftKey)) {
      event.preventDefault();
      finish(true);
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      finish(false);
    }
  };
  const Field = isMultiline ? 'textarea' : 'input';
  return (
    <Field
      ref={field}
      className={`${styles.field} ${className ?? ''}`}
      defaultValue={value}
      aria-label={label}
      maxLength={maxLength}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck
      onKeyDown={onKeyDown}
      onKeyUp={stop}
      onPointerDown={stop}
      onMouseDown={stop}
      onClick={stop}
      onDoubleClick={stop}
      onDragStart={stop}
      onBlur={() => finish(true)}
    />
  );
}
