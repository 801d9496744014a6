import { Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { FolderTree } from '../folders/FolderTree';
import { useTranslations } from '../i18n';
import { LibraryViews } from './LibraryViews';
import { useLibrary } from '../library/use-library';
import { useIsNarrow } from '../ui/use-media-query';
import styles from './LibrarySidebar.module.css';

/** The folders, with the trash at the bottom. */
export function LibrarySidebar({ onNavigate }: { onNavigate?: () => void }) {
  const t = useTranslations('assets');
  const { scope } = useLibrary();
  // On a phone, the portal's menu already contains the trash.
  const isInMenu = useIsNarrow() && scope.side === 'portal';
  const link =
    scope.side === 'portal'
      ? ({ to: '/library/trash' } as const)
      : ({ to: '/clients/$clientId/trash', params: { clientId: scope.clientId } } as const);
  return (
    <div className={styles.sidebar}>
      <LibraryViews onNavigate={onNavigate} />
      <FolderTree onNavigate={onNavigate} />
      {!isInMenu && (
        <Link {...link} className={styles.trash}>
          <Trash2 size={16} aria-hidden />
          {t('trash.link')}
        </Link>
      )}
    </div>
  );
}
