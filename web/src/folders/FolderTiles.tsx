import { EllipsisVertical, Folder as FolderIcon } from 'lucide-react';
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useDrag } from 'react-aria/useDrag';
import { isShortcut } from '../ui/shortcuts';
import type { Folder } from '../library/asset-types';
import { useWidth } from '../ui/use-width';
import { useLibrary } from '../library/use-library';
import { useAssetFormats } from '../library/formats';
import { InlineInput } from '../ui/InlineInput';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { IconButton } from '../ui/IconButton';
import { dragState, FOLDER_TYPE } from './drag-state';
import { useFolderCommands } from './folder-commands';
import { MAX_NAME } from './FolderTree';
import { ProtectedLock } from './ProtectedLock';
import { useFolderDrop } from './use-folder-drop';
import styles from './FolderTiles.module.css';

const ROWS = 2;
/** The folders whose tiles are all shown, also after coming back to them. */
const unfolded = new Set<string>();

/** The subfolders of the open folder above its assets: two rows of them, until the user wants all. */
export function FolderTiles({ folders }: { folders: readonly Folder[] }) {
  return folders.length > 0 && <Tiles folders={folders} />;
}

function Tiles({ folders }: { folders: readonly Folder[] }) {
  const t = useTranslations('folders');
  const { listing, scope } = useLibrary();
  const place = listing.folder ?? scope.basePath;
  const [isUnfolded, setUnfolded] = useState(unfolded.has(place));
  const [known] = useState(() => new Set(folders.map(({ folderId }) => folderId)));
  const list = useRef<HTMLUListElement>(null);
  const columns = useColumns(list);
  const room = ROWS * columns;
  // One more row takes no more space than the button would.
  const isLong = room > 0 && folders.length > room + columns;
  const isNew = ({ folderId }: Folder) => !known.has(folderId);
  // What has just been added must not be hidden.
  const firstNew = [...folders.filter(isNew), ...folders.filter((folder) => !isNew(folder))];
  const toggle = () => {
    if (isUnfolded) unfolded.delete(place);
    else unfolded.add(place);
    setUnfolded(!isUnfolded);
  };
  return (
    <div className={styles.folders}>
      <ul className={styles.tiles} aria-label={t('title')} ref={list}>
        {(isLong && !isUnfolded ? firstNew.slice(0, room) : folders).map((folder) => (
          <FolderTile key={folder.folderId} folder={folder} />
        ))}
      </ul>
      {isLong && (
        <Button variant="ghost" className={styles.more} aria-expanded={isUnfolded} onPress={toggle}>
          {isUnfolded ? t('showFewer') : t('showAll', { count: folders.length })}
        </Button>
      )}
    </div>
  );
}

/** 0 until they are laid out. */
function useColumns(grid: RefObject<HTMLElement | null>): number {
  const width = useWidth(grid);
  const [columns, setColumns] = useState(0);
  useLayoutEffect(() => {
    if (grid.current) setColumns(getComputedStyle(grid.current).gridTemplateColumns.split(' ').length);
  }, [grid, width]);
  return columns;
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
  const count = tree?.byId.get(folderId)?.totalAssets;
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
