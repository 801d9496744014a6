import { ListFilter } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { DialogTrigger, Popover } from '../../ui/Popover';
import { countFilters } from '../library/library-search';
import { useLibrary } from '../library/use-library';
import styles from './FilterMenu.module.css';

const FilterForm = lazy(() => import('./FilterForm'));

/** All filters of the library. They are part of the URL, so that it can be shared. */
export function FilterMenu() {
  const t = useTranslations('assets');
  const { search } = useLibrary();
  const count = countFilters(search);
  return (
    <DialogTrigger>
      <Button variant="ghost" icon={<ListFilter size={16} aria-hidden />}>
        <span className={styles.label}>
          <span className={styles.word}>{t('filters')}</span>
          {count > 0 && <span className={styles.badge}>{count}</span>}
        </span>
      </Button>
      <Popover label={t('filters')} placement="bottom end">
        <Suspense fallback={<div className={styles.form} />}>
          <FilterForm />
        </Suspense>
      </Popover>
    </DialogTrigger>
  );
}
