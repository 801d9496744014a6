import { MIME_TYPES } from '../../api/file-types';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { FIT_FOR, SURFACES } from '../../api/values';
import { useTranslations } from '../../i18n';
import { ToggleChip } from '../../ui/Chip';
import { SearchField } from '../../ui/SearchField';
import { Select } from '../../ui/Select';
import { useAssetFormats } from '../../library/formats';
import { tagsQuery } from '../../library/library-queries';
import type { Filters } from '../../library/library-search';
import { useLibrary } from '../../library/use-library';
import { useFilterLabels } from '../../library/filter-labels';
import styles from './FilterMenu.module.css';

const ANY = 'any';
const SHOWN_TAGS = 24;

export default function FilterForm() {
  const t = useTranslations('filters');
  const labels = useFilterLabels();
  const { search, setSearch } = useLibrary();
  const set = (change: Partial<Filters>) => setSearch(change, { replace: true });
  return (
    <div className={styles.groups}>
      <ChipGroup title={t('type')}>
        {MIME_TYPES.map((type) => (
          <ToggleChip
            key={type}
            isSelected={search.type === type}
            onChange={(isOn) => set({ type: isOn ? type : undefined })}
          >
            {labels.type(type)}
          </ToggleChip>
        ))}
      </ChipGroup>
      <ChipGroup title={t('used')}>
        {[true, false].map((used) => (
          <ToggleChip
            key={String(used)}
            isSelected={search.used === used}
            onChange={(isOn) => set({ used: isOn ? used : undefined })}
          >
            {labels.used(used)}
          </ToggleChip>
        ))}
      </ChipGroup>
      <Select
        label={t('surface')}
        value={search.surface ?? ANY}
        options={[{ id: ANY, label: t('any') }, ...SURFACES.map((id) => ({ id, label: labels.surface(id) }))]}
        onChange={(id) => set({ surface: id === ANY ? undefined : id })}
      />
      <Select
        label={t('fitFor')}
        value={search.fitFor ?? ANY}
        options={[{ id: ANY, label: t('any') }, ...FIT_FOR.map((id) => ({ id, label: labels.fitFor(id) }))]}
        onChange={(id) => set({ fitFor: id === ANY ? undefined : id })}
      />
      <TagFilter />
    </div>
  );
}

function TagFilter() {
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

function ChipGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      <div>{children}</div>
    </fieldset>
  );
}
