import { ChevronRight, Folder, FolderPlus, GripVertical, House } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, Suspense, useEffect, useMemo, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Collection } from 'react-aria-components/Collection';
import type { DragAndDropHooks } from 'react-aria-components/useDragAndDrop';
import { type Key, Tree, TreeItem, TreeItemContent } from 'react-aria-components/Tree';
import { isShortcut } from '../ui/shortcuts';
import type { CountedFolder } from '../library/asset-types';
import { viewOf } from '../library/library-search';
import { useLibrary } from '../library/use-library';
import { useAssetFormats } from '../library/formats';
import { InlineInput } from '../ui/InlineInput';
import { useTranslations } from '../i18n';
import { lazyWithoutTexts } from '../i18n/lazy-with-texts';
import { IconButton } from '../ui/IconButton';
import { Skeleton } from '../ui/Skeleton';
import { ancestorsOf } from '../library/folder-tree';
import { useFolderCommands } from './folder-commands';
import { ProtectedLock } from './ProtectedLock';
import styles from './FolderTree.module.css';

/** The row for the top level. */
export const TOP = 'top';
export const MAX_NAME = 120;
const NONE: ReadonlySet<Key> = new Set();

/** Not part of the first page, and only needed by those who can change folders. */
const TreeDragAndDrop = lazyWithoutTexts(() => import('./TreeDragAndDrop'));

export function FolderTree({ onNavigate }: { onNavigate?: () => void }) {
  const t = useTranslations('folders');
  const { tree, listing, scope } = useLibrary();
  const commands = useFolderCommands();
  const canWrite = scope.can('assets:write');
  const { expanded, setExpanded } = useExpanded();
  const items = useMemo(() => tree?.children.get(null) ?? [], [tree]);

  const folderOf = (target: EventTarget): CountedFolder | undefined => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-key]') : null;
    return row ? tree?.byId.get(row.dataset['key'] ?? '') : undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const folder = folderOf(event.target);
    if (!folder || !canWrite || event.target instanceof HTMLInputElement) return;
    if (isShortcut(event, 'rename')) commands.startRename(folder, 'tree');
    else if (isShortcut(event, 'trash')) commands.trash(folder);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onContextMenu = (event: MouseEvent) => {
    const folder = folderOf(event.target);
    if (!folder) return;
    event.preventDefault();
    commands.openMenu(folder, 'tree', { x: event.clientX, y: event.clientY });
  };
  const open = (keys: 'all' | Set<Key>) => {
    const [key] = keys === 'all' ? [] : keys;
    commands.open(key === undefined || key === TOP ? null : String(key));
    onNavigate?.();
  };
  // Once the folders are shown, nothing replaces them: that would lose the focus.
  const foldersWith = (hooks?: DragAndDropHooks) =>
    tree ? (
      <div className={styles.scroller} onKeyDownCapture={onKeyDown} onContextMenu={onContextMenu}>
        <Tree
          aria-label={t('title')}
          className={styles.tree}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={viewOf(listing) ? [] : [listing.folder ?? TOP]}
          onSelectionChange={open}
          expandedKeys={expanded}
          onExpandedChange={setExpanded}
          {...(hooks && { dragAndDropHooks: hooks })}
          // The other behavior takes the arrow keys from the name that is being edited.
          keyboardNavigationBehavior={commands.editing?.spot === 'tree' ? 'tab' : 'arrow'}
        >
          <TreeItem id={TOP} textValue={t('top')} className={styles.row}>
            <TreeItemContent>
              <Button
                slot="drag"
                className={styles.drag}
                isDisabled
                aria-label={t('drag', { name: t('top') })}
              />
              <span className={styles.chevron} />
              <House size={16} aria-hidden />
              <span className={styles.name}>{t('top')}</span>
              <Count value={tree.totalAssets} />
            </TreeItemContent>
          </TreeItem>
          <Collection items={items} dependencies={[tree, expanded, commands]}>
            {(folder) => <FolderItem id={folder.folderId} folder={folder} expanded={expanded} />}
          </Collection>
        </Tree>
      </div>
    ) : (
      <LoadingFolders />
    );
  return (
    <section className={styles.folders} aria-label={t('title')}>
      <header className={styles.header}>
        <h2>{t('title')}</h2>
        {canWrite && (
          <IconButton
            label={t('create')}
            icon={<FolderPlus size={18} aria-hidden />}
            onPress={() => commands.create(listing.folder ?? null)}
          />
        )}
      </header>
      {canWrite ? (
        <Suspense fallback={<LoadingFolders />}>
          <TreeDragAndDrop>{foldersWith}</TreeDragAndDrop>
        </Suspense>
      ) : (
        foldersWith()
      )}
    </section>
  );
}

function LoadingFolders() {
  return (
    <div className={styles.loading} aria-hidden>
      {[120, 90, 140, 110].map((width) => (
        <Skeleton key={width} width={width} height={12} />
      ))}
    </div>
  );
}

interface FolderItemProps {
  /** Read by the collection: without it, an item that moves is mistaken for the one that was at its new position. */
  id: string;
  folder: CountedFolder;
  expanded: ReadonlySet<Key>;
}

function FolderItem({ folder, expanded }: FolderItemProps) {
  const t = useTranslations('folders');
  const { tree } = useLibrary();
  const commands = useFolderCommands();
  const children = tree?.children.get(folder.folderId) ?? [];
  const isOpen = expanded.has(folder.folderId);
  const isEditing = commands.editing?.folderId === folder.folderId && commands.editing.spot === 'tree';
  return (
    <TreeItem
      id={folder.folderId}
      textValue={folder.name}
      hasChildItems={children.length > 0}
      className={styles.row}
    >
      <TreeItemContent>
        {({ level, hasChildItems }) => (
          <>
            {level > 1 && <span style={{ width: (level - 1) * 18 - 8 }} />}
            <Button slot="drag" className={styles.drag} aria-label={t('drag', { name: folder.name })}>
              <GripVertical size={12} aria-hidden />
            </Button>
            {hasChildItems ? (
              <Button slot="chevron" className={styles.chevron}>
                <ChevronRight size={14} aria-hidden />
              </Button>
            ) : (
              <span className={styles.chevron} />
            )}
            <Folder size={16} aria-hidden />
            {isEditing ? (
              <InlineInput
                value={folder.name}
                label={t('rename.label')}
                maxLength={MAX_NAME}
                isRequired
                className={styles.input}
                onSave={(name) => void commands.rename(folder, name)}
                onCancel={commands.stopRename}
              />
            ) : (
              <span className={styles.name} title={folder.name}>
                {folder.name}
              </span>
            )}
            {folder.protected && <ProtectedLock />}
            <Count value={folder.totalAssets} />
          </>
        )}
      </TreeItemContent>
      {/* Only a row with a child can be expanded by keyboard, so one is there even before. */}
      <Collection items={isOpen ? children : children.slice(0, 1)} dependencies={[tree, expanded, commands]}>
        {(child) => <FolderItem id={child.folderId} folder={child} expanded={isOpen ? expanded : NONE} />}
      </Collection>
    </TreeItem>
  );
}

function Count({ value }: { value: number }) {
  const t = useTranslations('folders');
  const formats = useAssetFormats();
  return (
    <span className={styles.count}>
      {formats.number(value)}
      <span className="visually-hidden"> {t('assets', { count: value })}</span>
    </span>
  );
}

/** The path to the open folder is always expanded. */
function useExpanded() {
  const { tree, listing } = useLibrary();
  const [expanded, setExpanded] = useState<Set<Key>>(new Set());
  useEffect(() => {
    if (!tree || !listing.folder) return;
    const path = ancestorsOf(tree, listing.folder).map(({ folderId }) => folderId);
    setExpanded((last) => (path.every((id) => last.has(id)) ? last : new Set([...last, ...path])));
  }, [tree, listing.folder]);
  return { expanded, setExpanded };
}
