import { useQuery } from '@tanstack/react-query';
import { FIT_VERDICTS, type FitVerdict } from '../../api/values';
import { useTranslations } from '../../i18n';
import { useAssetFormats } from '../../library/formats';
import { countQuery } from '../../library/library-queries';
import { useLibrary } from '../../library/use-library';
import { ChipGroup, ToggleChips } from './ChipGroup';
import styles from './FilterMenu.module.css';

/** Separates what fits as it is from what fits after resizing. */
export function FitVerdictFilter() {
  const t = useTranslations('filters');
  const { search, setSearch } = useLibrary();
  return (
    <ChipGroup title={t('verdict')}>
      <ToggleChips
        values={FIT_VERDICTS}
        selected={search.fitVerdict}
        labelOf={(verdict) => (
          <>
            {t(`verdicts.${verdict}`)} <Count verdict={verdict} />
          </>
        )}
        onChange={(fitVerdict) => setSearch({ fitVerdict }, { replace: true })}
      />
    </ChipGroup>
  );
}

function Count({ verdict }: { verdict: FitVerdict }) {
  const formats = useAssetFormats();
  const { scope, listing } = useLibrary();
  const { data } = useQuery(countQuery(scope, { ...listing, fitVerdict: verdict }));
  if (!data) return null;
  return <span className={styles.count}>{formats.number(data.total) + (data.totalIsExact ? '' : '+')}</span>;
}
