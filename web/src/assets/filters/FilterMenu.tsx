import { ListFilter } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyWithTexts } from '../../i18n/lazy-with-texts';
import { useTranslations } from '../../i18n';
import { Button, type ButtonProps } from '../../ui/Button';
import { DialogTrigger, Popover } from '../../ui/Popover';
import { countFilters } from '../../library/library-search';
import { useLibrary } from '../../library/use-library';
import { useIsPhone } from '../../ui/use-media-query';
import styles from './FilterMenu.module.css';

const FilterForm = lazyWithTexts(() => import('./FilterForm'));
const FilterSheet = lazyWithTexts(() => import('./FilterSheet'));

/** All filters of the library. They are part of the URL, so that it can be shared. */
export function FilterMenu() {
  const t = useTranslations('assets');
  const isPhone = useIsPhone();
  const [isSheetOpen, setSheetOpen] = useState(false);
  if (isPhone)
    return (
      <>
        <FilterButton onPress={() => setSheetOpen(true)} />
        <Suspense>
          <FilterSheet isOpen={isSheetOpen} onOpenChange={setSheetOpen} />
        </Suspense>
      </>
    );
  return (
    <DialogTrigger>
      <FilterButton />
      <Popover label={t('filters')} placement="bottom end" isWide>
        <div className={styles.form}>
          <Suspense>
            <FilterForm />
          </Suspense>
        </div>
      </Popover>
    </DialogTrigger>
  );
}

function FilterButton(props: Pick<ButtonProps, 'onPress'>) {
  const t = useTranslations('assets');
  const count = countFilters(useLibrary().search);
  return (
    <Button {...props} variant="ghost" icon={<ListFilter size={16} aria-hidden />}>
      <span className={styles.label}>
        <span className={styles.word}>{t('filters')}</span>
        {count > 0 && <span className={styles.badge}>{count}</span>}
      </span>
    </Button>
  );
}
