import { useState } from 'react';
import { useTranslations } from '../../i18n';
import { useScope } from '../../scope/scope';
import { InlineInput } from '../../ui/InlineInput';
import styles from './EditableText.module.css';

export interface EditableTextProps {
  readonly label: string;
  readonly value: string;
  readonly maxLength: number;
  readonly isMultiline?: boolean;
  readonly isRequired?: boolean;
  readonly isHeading?: boolean;
  /** A prompt that is shown while the text is empty. */
  readonly placeholder: string;
  onSave: (value: string) => void;
}

/** A text that is edited by clicking it. Viewers see only the text. */
export function EditableText(props: EditableTextProps) {
  const { label, value, placeholder, isHeading = false } = props;
  const t = useTranslations('details');
  const canEdit = useScope().can('assets:write');
  const [isEditing, setEditing] = useState(false);
  const look = isHeading ? styles.heading : styles.text;
  const stop = () => setEditing(false);
  if (!canEdit) return value ? <p className={look}>{value}</p> : <p className={styles.none}>{t('none')}</p>;
  // The element around both is where the field finds the button that gets the focus back.
  return (
    <div>
      {isEditing ? (
        <InlineInput
          value={value}
          label={label}
          maxLength={props.maxLength}
          isMultiline={props.isMultiline}
          isRequired={props.isRequired}
          placeholder={placeholder}
          className={`${look} ${styles.input}`}
          onSave={(text) => {
            stop();
            props.onSave(text);
          }}
          onCancel={stop}
        />
      ) : (
        <button
          type="button"
          className={`${look} ${styles.button}`}
          aria-label={t('edit', { label, value: value || placeholder })}
          data-empty={value === '' || undefined}
          onClick={() => setEditing(true)}
        >
          {value || placeholder}
        </button>
      )}
    </div>
  );
}
