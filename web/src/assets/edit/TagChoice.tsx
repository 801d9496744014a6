import { Minus } from 'lucide-react';
import { useTranslations } from '../../i18n';
import type { Asset } from '../../library/asset-types';
import { Chip, ToggleChip } from '../../ui/Chip';
import { AddTag } from '../details/TagEditor';
import type { Draft } from './edit-draft';
import styles from './EditDialog.module.css';

type Tags = NonNullable<Draft['tags']>;

export interface TagChoiceProps {
  readonly assets: readonly Asset[];
  readonly tags: Tags;
  onChange: (tags: Tags) => void;
}

const MAX_SHOWN = 50;

/** Tags to add to all of them, and tags that some of them have, to remove. */
export function TagChoice({ assets, tags: { add, remove }, onChange }: TagChoiceProps) {
  const t = useTranslations('details');
  const without = (list: readonly string[], tag: string) => list.filter((each) => each !== tag);
  const present = mostUsedTags(assets);
  return (
    <>
      <div className={styles.chips}>
        {add.map((tag) => (
          <Chip
            key={tag}
            removeLabel={t('removeTag', { tag })}
            onRemove={() => onChange({ add: without(add, tag), remove })}
          >
            {tag}
          </Chip>
        ))}
        <AddTag
          tags={add}
          onAdd={(added) =>
            onChange({
              add: [...new Set([...add, ...added])],
              remove: remove.filter((tag) => !added.includes(tag)),
            })
          }
        />
      </div>
      {present.length > 0 && (
        <div>
          <p className={styles.label}>{t('editMany.removeTags')}</p>
          <div className={styles.chips} role="group" aria-label={t('editMany.removeTags')}>
            {present.map((tag) => (
              <ToggleChip
                key={tag}
                icon={remove.includes(tag) && <Minus aria-hidden />}
                isSelected={remove.includes(tag)}
                onChange={(isRemoved) =>
                  onChange({
                    add: without(add, tag),
                    remove: isRemoved ? [...remove, tag] : without(remove, tag),
                  })
                }
              >
                {tag}
              </ToggleChip>
            ))}
          </div>
        </div>
      )}
    </>
  );
}

function mostUsedTags(assets: readonly Asset[]): string[] {
  const counts = new Map<string, number>();
  for (const { tags } of assets) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_SHOWN)
    .map(([tag]) => tag);
}
