import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { type LibrarySearch, NO_FILTERS } from '../../library/library-search';
import { useLibrary } from '../../library/use-library';
import { useAssetFormats } from '../../library/formats';
import { useCreatorName } from './use-creators';
import { useFilterLabels } from '../../library/filter-labels';
import styles from './FilterChips.module.css';

interface SetFilter {
  readonly key: string;
  readonly label: string;
  /** The change of the search parameters that removes this filter. */
  readonly remove: Partial<LibrarySearch>;
}

/** The active filters, each with a button to remove it. */
export default function FilterChips() {
  const t = useTranslations('filters');
  const { setSearch } = useLibrary();
  const filters = useSetFilters();
  const set = (change: Partial<LibrarySearch>) => setSearch(change, { replace: true });
  return (
    <div className={styles.chips}>
      {filters.map(({ key, label, remove }) => (
        <Chip key={key} removeLabel={t('remove', { label })} onRemove={() => set(remove)}>
          {label}
        </Chip>
      ))}
      <Button variant="ghost" onPress={() => set(NO_FILTERS)}>
        {t('clear')}
      </Button>
    </div>
  );
}

function useSetFilters(): SetFilter[] {
  const t = useTranslations('filters');
  const labels = useFilterLabels();
  const formats = useAssetFormats();
  const { search } = useLibrary();
  const { q, tags = [], type, surface, used, fitFor, fitVerdict, orientation, createdBy } = search;
  const creator = useCreatorName();
  const filters: SetFilter[] = [];
  const add = (key: string, label: string, remove: Partial<LibrarySearch>) =>
    filters.push({ key, label, remove });
  if (q) add('q', t('words', { q }), { q: undefined });
  for (const tag of tags) {
    const others = tags.filter((each) => each !== tag);
    add(`tag ${tag}`, tag, { tags: others.length > 0 ? others : undefined });
  }
  if (type) add('type', labels.type(type), { type: undefined });
  if (surface) add('surface', t('allowedOn', { surface: labels.surface(surface) }), { surface: undefined });
  if (used !== undefined) add('used', labels.used(used), { used: undefined });
  if (fitFor) {
    const channel = labels.fitFor(fitFor);
    const label = fitVerdict ? t(`fitsBy.${fitVerdict}`, { channel }) : t('fits', { channel });
    add('fitFor', label, { fitFor: undefined, fitVerdict: undefined });
  }
  if (search.missingAltText) add('missingAltText', t('missingAltText'), { missingAltText: undefined });
  if (search.duplicates) add('duplicates', t('duplicates'), { duplicates: undefined });
  if (orientation) add('orientation', t(`orientations.${orientation}`), { orientation: undefined });
  if (search.minWidth || search.minHeight) {
    const sides = [
      search.minWidth && t('wide', { pixels: String(search.minWidth) }),
      search.minHeight && t('high', { pixels: String(search.minHeight) }),
    ];
    const label = t('atLeast', { sides: formats.list(sides.filter((side) => typeof side === 'string')) });
    add('minSize', label, { minWidth: undefined, minHeight: undefined });
  }
  for (const which of ['uploaded', 'taken'] as const) {
    const days = search[which];
    if (days) add(which, t(`${which}On`, { days: labels.days(days) }), { [which]: undefined });
  }
  if (createdBy) add('createdBy', t('by', { name: creator }), { createdBy: undefined });
  return filters;
}
