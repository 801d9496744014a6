import { MIME_TYPES } from '../../api/file-types';
import { FIT_FOR, ORIENTATIONS, SURFACES } from '../../api/values';
import { useTranslations } from '../../i18n';
import type { Filters } from '../../library/library-search';
import { useLibrary } from '../../library/use-library';
import { useFilterLabels } from '../../library/filter-labels';
import { Select } from '../../ui/Select';
import { ChipGroup, ToggleChips } from './ChipGroup';
import { DaysFilter } from './DaysFilter';
import { FitVerdictFilter } from './FitVerdictFilter';
import { MinSizeFilter } from './MinSizeFilter';
import { TagFilter } from './TagFilter';
import { useChosenCreator, useCreators } from './use-creators';
import styles from './FilterMenu.module.css';

const ANY = 'any';

/** On the left what an asset is, on the right where it comes from and what it is for. */
export default function FilterForm() {
  const t = useTranslations('filters');
  const labels = useFilterLabels();
  const { search, setSearch } = useLibrary();
  const creators = useCreators();
  const creator = useChosenCreator(creators);
  const set = (change: Partial<Filters>) => setSearch(change, { replace: true });
  return (
    <div className={styles.columns}>
      <div className={styles.groups}>
        <ChipGroup title={t('type')}>
          <ToggleChips
            values={MIME_TYPES}
            selected={search.type}
            labelOf={labels.type}
            onChange={(type) => set({ type })}
          />
        </ChipGroup>
        <ChipGroup title={t('orientation')}>
          <ToggleChips
            values={ORIENTATIONS}
            selected={search.orientation}
            labelOf={(orientation) => t(`orientations.${orientation}`)}
            onChange={(orientation) => set({ orientation })}
          />
        </ChipGroup>
        <ChipGroup title={t('used')}>
          <ToggleChips
            values={[true, false]}
            selected={search.used}
            labelOf={labels.used}
            onChange={(used) => set({ used })}
          />
        </ChipGroup>
        <ChipGroup title={t('check')}>
          {(['missingAltText', 'duplicates'] as const).map((name) => (
            <ToggleChips
              key={name}
              values={[true]}
              selected={search[name]}
              labelOf={() => t(name)}
              onChange={(isOn) => set({ [name]: isOn })}
            />
          ))}
        </ChipGroup>
        <Select
          label={t('surface')}
          value={search.surface ?? ANY}
          options={[
            { id: ANY, label: t('any') },
            ...SURFACES.map((id) => ({ id, label: labels.surface(id) })),
          ]}
          onChange={(id) => set({ surface: id === ANY ? undefined : id })}
        />
      </div>
      <div className={styles.groups}>
        <DaysFilter label={t('uploaded')} days={search.uploaded} onChange={(uploaded) => set({ uploaded })} />
        <DaysFilter label={t('taken')} days={search.taken} onChange={(taken) => set({ taken })} />
        <Select
          label={t('createdBy')}
          value={search.createdBy === undefined ? ANY : (creator?.id ?? null)}
          placeholder={t('unknown')}
          options={[{ id: ANY, label: t('any') }, ...creators.map(({ id, name }) => ({ id, label: name }))]}
          onChange={(id) => set({ createdBy: id === ANY ? undefined : id })}
        />
        <MinSizeFilter />
        <Select
          label={t('fitFor')}
          value={search.fitFor ?? ANY}
          options={[{ id: ANY, label: t('any') }, ...FIT_FOR.map((id) => ({ id, label: labels.fitFor(id) }))]}
          onChange={(id) => set({ fitFor: id === ANY ? undefined : id, fitVerdict: undefined })}
        />
        {search.fitFor && <FitVerdictFilter />}
      </div>
      <TagFilter />
    </div>
  );
}
