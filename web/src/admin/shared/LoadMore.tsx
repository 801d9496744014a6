import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import styles from './LoadMore.module.css';

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** Loads the next page of a list. Hidden after the last page. */
export function LoadMore({ pages }: { pages: Pages }) {
  const t = useTranslations('admin');
  if (!pages.hasNextPage) return null;
  return (
    <div className={styles.more}>
      <Button isPending={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
        {t('loadMore')}
      </Button>
    </div>
  );
}
