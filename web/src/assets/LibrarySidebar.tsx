import { Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { FolderTree } from '../folders/FolderTree';
import { useTranslations } from '../i18n';
import { useLibrary } from './library/use-library';
import { useIsNarrow } from './use-media-query';
import styles from './LibrarySidebar.module.css';

/** Folders, and the trash at the foot. */
export function LibrarySidebar({ onNavigate }: { onNavigate?: () => void }) {
  const t = useTranslations('assets');
  const { scope } = useLibrary();
  // The portal's menu on a phone has the trash already.
  const isInMenu = useIsNarrow() && scope.side === 'portal';
  const link =
    scope.side === 'portal'
      ? ({ to: '/library/trash' } as const)
      : ({ to: '/clients/$clientId/trash', params: { clientId: scope.clientId } } as const);
  return (
    <div className={styles.sidebar}>
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
