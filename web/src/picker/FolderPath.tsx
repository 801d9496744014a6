import { ChevronLeft, ChevronRight, Ellipsis } from 'lucide-react';
import type { Schemas } from '../api/client';
import { type CrumbPlace, useCrumbs } from '../folders/use-crumbs';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { IconButton } from '../ui/IconButton';
import { Menu, MenuItem, MenuTrigger } from '../ui/Menu';
import styles from './Picker.module.css';

type Folder = Schemas['FolderDto'];

export interface FolderPathProps {
  breadcrumbs: readonly Pick<Folder, 'folderId' | 'name'>[];
  folder: Folder | null;
  onOpen: (folderId: string | null) => void;
  onOtherClient?: () => void;
}

const TOP = 'top';

/** The current folder, with links to its parents. */
export function FolderPath({ breadcrumbs, folder, onOpen, onOtherClient }: FolderPathProps) {
  const t = useTranslations('picker');
  const parents = breadcrumbs.filter(({ folderId }) => folderId !== folder?.folderId);
  const title = folder?.name ?? t('top');
  const { list, start, hidden, end } = useCrumbs(
    folder ? [{ folderId: null, name: t('top') }, ...parents] : [],
    title,
  );
  const crumb = ({ folderId, name }: CrumbPlace) => (
    <li key={folderId} className={styles.above}>
      <Button variant="ghost" onPress={() => onOpen(folderId)}>
        <span title={name} data-crumb-name="">
          {name}
        </span>
      </Button>
      <ChevronRight size={14} aria-hidden />
    </li>
  );
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
      <ol ref={list}>
        {start.map(crumb)}
        {hidden.length > 0 && (
          <li className={styles.above}>
            <MenuTrigger>
              <IconButton label={t('moreFolders')} icon={<Ellipsis aria-hidden />} />
              <Menu onAction={(key) => onOpen(key === TOP ? null : String(key))}>
                {hidden.map(({ folderId, name }) => (
                  <MenuItem key={folderId} id={folderId ?? TOP} label={name} />
                ))}
              </Menu>
            </MenuTrigger>
            <ChevronRight size={14} aria-hidden />
          </li>
        )}
        {end.map(crumb)}
        <li className={styles.current}>
          <h1 className={styles.title} title={title} data-crumb-name="">
            {title}
          </h1>
        </li>
      </ol>
    </nav>
  );
}
