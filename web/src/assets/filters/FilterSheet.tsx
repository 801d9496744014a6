import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { Drawer } from '../../ui/Drawer';
import { useAssetFormats } from '../../library/formats';
import { countFilters, NO_FILTERS } from '../../library/library-search';
import { useAssetCount } from '../../library/use-asset-count';
import { useLibrary } from '../../library/use-library';
import FilterForm from './FilterForm';
import styles from './FilterSheet.module.css';

export interface FilterSheetProps {
  readonly isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** The filters on a phone: a bottom sheet that says how many assets they leave. */
export default function FilterSheet({ isOpen, onOpenChange }: FilterSheetProps) {
  const t = useTranslations('filters');
  return (
    <Drawer label={t('title')} side="bottom" isOpen={isOpen} onOpenChange={onOpenChange}>
      {({ close }) => <Content onDone={close} />}
    </Drawer>
  );
}

function Content({ onDone }: { onDone: () => void }) {
  const t = useTranslations('filters');
  const formats = useAssetFormats();
  const { search, setSearch, isChanging } = useLibrary();
  const { count, isExact } = useAssetCount();
  const number = formats.number(count) + (isExact ? '' : '+');
  return (
    <div className={styles.sheet}>
      <header className={styles.header}>
        <h2>{t('title')}</h2>
        {countFilters(search) > 0 && (
          <Button
            variant="ghost"
            onPress={() => setSearch({ ...NO_FILTERS, q: search.q }, { replace: true })}
          >
            {t('clear')}
          </Button>
        )}
      </header>
      <div className={styles.form}>
        <FilterForm />
      </div>
      <footer className={styles.footer}>
        <Button variant="primary" isWide isPending={isChanging} onPress={onDone}>
          {t('show', { count, number })}
        </Button>
      </footer>
    </div>
  );
}
