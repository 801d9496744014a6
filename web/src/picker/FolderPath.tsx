import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { Schemas } from '../api/client';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { IconButton } from '../ui/IconButton';
import styles from './Picker.module.css';

type Folder = Schemas['FolderDto'];

export interface FolderPathProps {
  breadcrumbs: readonly Pick<Folder, 'folderId' | 'name'>[];
  folder: Folder | null;
  onOpen: (folderId: string | null) => void;
  onOtherClient?: () => void;
}

/** The current folder, with links to its parents. */
export function FolderPath({ breadcrumbs, folder, onOpen, onOtherClient }: FolderPathProps) {
  const t = useTranslations('picker');
  const above = breadcrumbs.filter(({ folderId }) => folderId !== folder?.folderId);
  return (
    <nav className={styles.path} aria-label={t('location')}>
      {folder ? (
        <IconButton
          label={t('up')}
          icon={<ChevronLeft aria-hidden />}
          onPress={() => onOpen(folder.parentId)}
        />
      ) : (
        onOtherClient && (
          <IconButton label={t('otherClient')} icon={<ChevronLeft aria-hidden />} onPress={onOtherClient} />
        )
      )}
      {folder && (
        <span className={styles.above}>
          <Button variant="ghost" onPress={() => onOpen(null)}>
            {t('top')}
          </Button>
          <ChevronRight size={14} aria-hidden />
          {above.map(({ folderId, name }) => (
            <span key={folderId} className={styles.above}>
              <Button variant="ghost" onPress={() => onOpen(folderId)}>
                {name}
              </Button>
              <ChevronRight size={14} aria-hidden />
            </span>
          ))}
        </span>
      )}
      <h1 className={styles.title}>{folder?.name ?? t('top')}</h1>
    </nav>
  );
}
