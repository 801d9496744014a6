import { EllipsisVertical, Folder as FolderIcon } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, useRef } from 'react';
import { useDrag } from 'react-aria/useDrag';
import { isShortcut } from '../app/shortcuts';
import type { Folder } from '../assets/library/asset-types';
import { useLibrary } from '../assets/library/use-library';
import { useAssetFormats } from '../assets/formats';
import { InlineInput } from '../assets/InlineInput';
import { useTranslations } from '../i18n';
import { IconButton } from '../ui/IconButton';
import { dragState, FOLDER_TYPE } from './drag-state';
import { useFolderCommands } from './folder-commands';
import { MAX_NAME } from './FolderTree';
import { ProtectedLock } from './ProtectedLock';
import { useFolderDrop } from './use-folder-drop';
import styles from './FolderTiles.module.css';

/** The subfolders of the open folder, in rows above its assets. */
export function FolderTiles({ folders }: { folders: readonly Folder[] }) {
  const t = useTranslations('folders');
  if (folders.length === 0) return null;
  return (
    <ul className={styles.tiles} aria-label={t('title')}>
      {folders.map((folder) => (
        <FolderTile key={folder.folderId} folder={folder} />
      ))}
    </ul>
  );
}

function FolderTile({ folder }: { folder: Folder }) {
  const t = useTranslations('folders');
  const formats = useAssetFormats();
  const { scope, tree } = useLibrary();
  const commands = useFolderCommands();
  const ref = useRef<HTMLButtonElement>(null);
  const { folderId, name } = folder;
  const canWrite = scope.can('assets:write');
  const { dropProps, isDropTarget } = useFolderDrop(ref, folderId, () => commands.open(folderId));
  const { dragProps, isDragging } = useDrag({
    isDisabled: !canWrite || folder.protected,
    hasDragButton: true,
    getItems: () => [{ [FOLDER_TYPE]: folderId, 'text/plain': name }],
    getAllowedDropOperations: () => ['move'],
    onDragStart: () => dragState.start({ kind: 'folder', folderId }),
    onDragEnd: () => dragState.end(),
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!canWrite || (event.target as Element).tagName === 'INPUT') return;
    if (isShortcut(event, 'rename')) commands.startRename(folder, 'tile');
    else if (isShortcut(event, 'trash')) commands.trash(folder);
    else return;
    event.preventDefault();
  };
  const openMenu = (event: MouseEvent) => {
    event.preventDefault();
    commands.openMenu(folder, 'tile', { x: event.clientX, y: event.clientY });
  };
  const isEditing = commands.editing?.folderId === folderId && commands.editing.spot === 'tile';
  const count = tree?.byId.get(folderId)?.assets;
  return (
    <li
      {...dragProps}
      {...dropProps}
      className={styles.tile}
      data-drop-target={isDropTarget || undefined}
      data-dragging={isDragging || undefined}
      onContextMenu={openMenu}
      onKeyDown={onKeyDown}
    >
      <FolderIcon size={18} aria-hidden />
      {isEditing ? (
        <InlineInput
          value={name}
          label={t('rename.label')}
          maxLength={MAX_NAME}
          isRequired
          className={styles.input}
          onSave={(value) => void commands.rename(folder, value)}
          onCancel={commands.stopRename}
        />
      ) : (
        <button ref={ref} type="button" className={styles.open} onClick={() => commands.open(folderId)}>
          <span title={name}>{name}</span>
        </button>
      )}
      {folder.protected && <ProtectedLock />}
      {count !== undefined && <span className={styles.count}>{formats.number(count)}</span>}
      <IconButton
        className={styles.menu}
        label={t('menuLabel', { name })}
        icon={<EllipsisVertical size={16} aria-hidden />}
        onPress={({ target }) => {
          const { left, bottom } = target.getBoundingClientRect();
          commands.openMenu(folder, 'tile', { x: left, y: bottom });
        }}
      />
    </li>
  );
}
