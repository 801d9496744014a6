import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from '../../i18n';
import { useAssetFormats } from '../../library/formats';
import { tagsQuery } from '../../library/library-queries';
import { useLibrary } from '../../library/use-library';
import { ToggleChip } from '../../ui/Chip';
import { SearchField } from '../../ui/SearchField';
import { ChipGroup } from './ChipGroup';
import styles from './FilterMenu.module.css';

const SHOWN_TAGS = 24;

export function TagFilter() {
  const t = useTranslations('filters');
  const formats = useAssetFormats();
  const { scope, search, setSearch } = useLibrary();
  const { data: known = [] } = useQuery(tagsQuery(scope));
  const [text, setText] = useState('');
  if (known.length === 0) return null;
  const chosen = search.tags ?? [];
  const wanted = text.trim().toLowerCase();
  const shown = known.filter(({ tag }) => tag.toLowerCase().includes(wanted)).slice(0, SHOWN_TAGS);
  const toggle = (tag: string, isOn: boolean) => {
    const tags = isOn ? [...chosen, tag] : chosen.filter((each) => each !== tag);
    setSearch({ tags: tags.length > 0 ? tags : undefined }, { replace: true });
  };
  return (
    <ChipGroup title={t('tags')}>
      {known.length > SHOWN_TAGS && (
        <SearchField
          label={t('findTag')}
          placeholder={t('findTag')}
          value={text}
          onChange={setText}
          className={styles.find}
        />
      )}
      {shown.map(({ tag, assets }) => (
        <ToggleChip key={tag} isSelected={chosen.includes(tag)} onChange={(isOn) => toggle(tag, isOn)}>
          {tag} <span className={styles.count}>{formats.number(assets)}</span>
        </ToggleChip>
      ))}
    </ChipGroup>
  );
}
