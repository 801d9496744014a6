import { Link } from '@tanstack/react-router';
import { Clock, Images } from 'lucide-react';
import { useTranslations } from '../i18n';
import { ALL_ASSETS, type LibrarySearch, RECENT, viewOf } from '../library/library-search';
import { useLibrary } from '../library/use-library';
import styles from './LibraryViews.module.css';

const VIEWS = [
  { view: 'all', Icon: Images, search: ALL_ASSETS },
  { view: 'recent', Icon: Clock, search: RECENT },
] as const;

/** The whole library at once, whatever its folders. */
export function LibraryViews({ onNavigate }: { onNavigate?: () => void }) {
  const t = useTranslations('folders');
  const open = viewOf(useLibrary().listing);
  return (
    <nav aria-label={t('views')} className={styles.views}>
      {VIEWS.map(({ view, Icon, search }) => (
        <Link
          key={view}
          to="."
          search={(previous: LibrarySearch) => ({ ...previous, ...search })}
          activeOptions={{ explicitUndefined: true }}
          className={styles.view}
          aria-current={open === view ? 'page' : undefined}
          onClick={onNavigate}
        >
          <Icon size={16} aria-hidden />
          {t(view)}
        </Link>
      ))}
    </nav>
  );
}
