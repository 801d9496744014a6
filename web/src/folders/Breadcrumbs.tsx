import { ChevronRight, Ellipsis } from 'lucide-react';
import { useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import type { Folder } from '../library/asset-types';
import { viewOf } from '../library/library-search';
import { useLibrary } from '../library/use-library';
import { InlineInput } from '../ui/InlineInput';
import { useTranslations } from '../i18n';
import { Menu, MenuItem, MenuTrigger } from '../ui/Menu';
import { ancestorsOf } from '../library/folder-tree';
import { useFolderCommands } from './folder-commands';
import { MAX_NAME, TOP } from './FolderTree';
import { type CrumbPlace, useCrumbs } from './use-crumbs';
import { ProtectedLock } from './ProtectedLock';
import { useFolderDrop } from './use-folder-drop';
import styles from './Breadcrumbs.module.css';

/** The folder path, as the page's title. Each part is a drop target. */
export function Breadcrumbs() {
  const t = useTranslations('folders');
  const { listing } = useLibrary();
  return listing.folder ? (
    <Path open={listing.folder} />
  ) : (
    <h1 className={styles.title}>{t(viewOf(listing) ?? 'top')}</h1>
  );
}

function Path({ open }: { open: string }) {
  const t = useTranslations('folders');
  const { tree, first } = useLibrary();
  const commands = useFolderCommands();
  const folder = tree?.byId.get(open) ?? first?.folder;
  const parents: Folder[] = tree ? ancestorsOf(tree, open) : (first?.breadcrumbs.slice(0, -1) ?? []);
  const { list, start, hidden, end } = useCrumbs(
    [{ folderId: null, name: t('top') }, ...parents],
    folder?.name ?? '',
  );
  return (
    <nav className={styles.crumbs} aria-label={t('path')}>
      <ol ref={list}>
        {start.map((crumb) => (
          <Crumb key={crumb.folderId} {...crumb} />
        ))}
        {hidden.length > 0 && (
          <li className={styles.more}>
            <MenuTrigger>
              <Button className={styles.link} aria-label={t('moreParents')}>
                <Ellipsis size={16} aria-hidden />
              </Button>
              <Menu onAction={(key) => commands.open(key === TOP ? null : String(key))}>
                {hidden.map(({ folderId, name }) => (
                  <MenuItem key={folderId} id={folderId ?? TOP} label={name} />
                ))}
              </Menu>
            </MenuTrigger>
            <Divider />
          </li>
        )}
        {end.map((crumb) => (
          <Crumb key={crumb.folderId} {...crumb} />
        ))}
        <li className={styles.crumb} data-current="" aria-current="page">
          {folder && <FolderTitle folder={folder} />}
        </li>
      </ol>
    </nav>
  );
}

function FolderTitle({ folder }: { folder: Folder }) {
  const t = useTranslations('folders');
  const { scope } = useLibrary();
  const commands = useFolderCommands();
  const isEditing = commands.editing?.folderId === folder.folderId && commands.editing.spot === 'title';
  if (isEditing)
    return (
      <InlineInput
        value={folder.name}
        label={t('rename.label')}
        maxLength={MAX_NAME}
        isRequired
        className={styles.input}
        onSave={(name) => void commands.rename(folder, name)}
        onCancel={commands.stopRename}
      />
    );
  const canRename = scope.can('assets:write') && !folder.protected;
  return (
    <>
      <h1
        className={styles.title}
        title={folder.name}
        data-crumb-name=""
        data-editable={canRename || undefined}
        onClick={canRename ? () => commands.startRename(folder, 'title') : undefined}
      >
        {folder.name}
      </h1>
      {folder.protected && <ProtectedLock />}
    </>
  );
}

function Crumb({ folderId, name }: CrumbPlace) {
  const commands = useFolderCommands();
  const ref = useRef<HTMLButtonElement>(null);
  const open = () => commands.open(folderId);
  const { dropProps, isDropTarget } = useFolderDrop(ref, folderId, open);
  return (
    <li {...dropProps} className={styles.crumb} data-drop-target={isDropTarget || undefined}>
      <Button ref={ref} className={styles.link} onPress={open} aria-label={name}>
        <span title={name} data-crumb-name="">
          {name}
        </span>
      </Button>
      <Divider />
    </li>
  );
}

function Divider() {
  return <ChevronRight className={styles.divider} size={16} aria-hidden />;
}
