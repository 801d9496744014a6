import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { useScope } from '../../app/scope';
import { useTranslations } from '../../i18n';
import { Chip } from '../../ui/Chip';
import { tagsQuery } from '../library/library-queries';
import styles from './Chips.module.css';

export interface TagEditorProps {
  readonly tags: readonly string[];
  readonly isReadOnly: boolean;
  onChange: (tags: string[]) => void;
}

const MAX_TAG = 64;

export function TagEditor({ tags, isReadOnly, onChange }: TagEditorProps) {
  const t = useTranslations('details');
  const remove = (tag: string) => onChange(tags.filter((each) => each !== tag));
  const add = (added: readonly string[]) => {
    const all = [...new Set([...tags, ...added])];
    if (all.length > tags.length) onChange(all);
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
      {!isReadOnly && <AddTag onAdd={add} />}
    </div>
  );
}

/** A button that becomes a text field. Enter and commas add a tag, and the field stays open for the next one. */
export function AddTag({ onAdd }: { onAdd: (tags: string[]) => void }) {
  const t = useTranslations('details');
  const scope = useScope();
  const [isOpen, setOpen] = useState(false);
  const { data: known = [] } = useQuery({ ...tagsQuery(scope), enabled: isOpen });
  const list = useId();
  const take = (field: HTMLInputElement) => {
    const added = field.value
      .split(',')
      .map((tag) => tag.normalize('NFC').trim())
      .filter(Boolean);
    field.value = '';
    if (added.length > 0) onAdd(added);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault();
      take(event.currentTarget);
    }
    if (event.key === 'Escape') setOpen(false);
  };
  if (!isOpen)
    return (
      <button type="button" className={styles.add} onClick={() => setOpen(true)}>
        <Plus size={12} strokeWidth={2.5} aria-hidden /> {t('addTag')}
      </button>
    );
  return (
    <>
      <input
        className={styles.input}
        aria-label={t('addTag')}
        list={list}
        maxLength={MAX_TAG}
        autoFocus
        onKeyDown={onKeyDown}
        onBlur={({ currentTarget }) => {
          take(currentTarget);
          setOpen(false);
        }}
      />
      <datalist id={list}>
        {known.slice(0, 100).map(({ tag }) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </>
  );
}
