import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useScope } from '../../scope/scope';
import { useTranslations } from '../../i18n';
import { Chip } from '../../ui/Chip';
import { TextField, type TextFieldProps } from '../../ui/TextField';
import { tagsQuery } from '../../library/library-queries';
import styles from './Chips.module.css';

export interface TagEditorProps {
  readonly tags: readonly string[];
  readonly isReadOnly: boolean;
  /** The change applies to the tags by then: typing may be faster than the page. */
  onChange: (change: (tags: readonly string[]) => string[]) => void;
}

const MAX_TAG = 64;
const MAX_SUGGESTIONS = 100;

export function TagEditor({ tags, isReadOnly, onChange }: TagEditorProps) {
  const t = useTranslations('details');
  const remove = (tag: string) => onChange((now) => now.filter((each) => each !== tag));
  const add = (added: readonly string[]) => {
    if (added.some((tag) => !tags.includes(tag))) onChange((now) => [...new Set([...now, ...added])]);
  };
  if (isReadOnly && tags.length === 0) return <p className={styles.hint}>{t('none')}</p>;
  return (
    <div className={styles.chips}>
      {tags.map((tag) => (
        <Chip
          key={tag}
          {...(isReadOnly ? {} : { removeLabel: t('removeTag', { tag }), onRemove: () => remove(tag) })}
        >
          {tag}
        </Chip>
      ))}
      {!isReadOnly && <AddTag tags={tags} onAdd={add} />}
    </div>
  );
}

/** Enter and commas add a tag, and so does leaving the field. */
export function AddTag({ tags = [], onAdd }: { tags?: readonly string[]; onAdd: (tags: string[]) => void }) {
  const t = useTranslations('details');
  const scope = useScope();
  const [text, setText] = useState('');
  const [isFocused, setFocused] = useState(false);
  const { data: known = [] } = useQuery({ ...tagsQuery(scope), enabled: isFocused });
  const take = () => {
    setText('');
    const added = tagsIn(text);
    if (added.length > 0) onAdd(added);
  };
  const onKeyDown: TextFieldProps['onKeyDown'] = (event) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault();
      take();
    }
    if (event.key === 'Escape' && text === '') event.continuePropagation();
    else if (event.key === 'Escape') setText('');
  };
  return (
    <TextField
      className={styles.field}
      label={t('addTag')}
      isLabelHidden
      placeholder={t('addTag')}
      maxLength={MAX_TAG}
      value={text}
      suggestions={known.slice(0, MAX_SUGGESTIONS).map(({ tag }) => tag)}
      validationBehavior="aria"
      validate={(value) => (tagsIn(value).some((tag) => tags.includes(tag)) ? t('tagExists') : null)}
      onChange={setText}
      onKeyDown={onKeyDown}
      onFocusChange={setFocused}
      onBlur={take}
    />
  );
}

function tagsIn(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.normalize('NFC').trim())
    .filter(Boolean);
}
