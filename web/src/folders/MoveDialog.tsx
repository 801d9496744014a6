import { Folder, FolderPlus, House, Lock } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useFilter } from 'react-aria/useFilter';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { NewFolderForm } from './NewFolderForm';
import { type FolderTree, isWithin } from '../library/folder-tree';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { Dialog, DialogFooter } from '../ui/Dialog';
import { SearchField } from '../ui/SearchField';
import { useLibrary } from '../library/use-library';
import styles from './MoveDialog.module.css';

export interface MoveDialogProps {
  readonly title: string;
  /** The current folder, which cannot be chosen. */
  readonly from: string | null | undefined;
  /** A folder cannot be moved into itself or a folder below it. */
  readonly movedFolderId?: string;
  onMove: (folderId: string | null) => void;
  onClose: () => void;
}

interface Choice {
  readonly id: string;
  readonly folderId: string | null;
  readonly name: string;
  readonly path: string;
  readonly depth: number;
  readonly isProtected: boolean;
}

const TOP = 'top';

export default function MoveDialog({ title, from, movedFolderId, onMove, onClose }: MoveDialogProps) {
  const t = useTranslations('assets');
  const texts = useTranslations('dialogs.move');
  const { tree } = useLibrary();
  const { contains } = useFilter({ sensitivity: 'base' });
  const [search, setSearch] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  const [isNaming, setNaming] = useState(false);
  const [created, setCreated] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const choices = useMemo(
    () => (tree ? choicesOf(tree, t('top'), movedFolderId) : []),
    [movedFolderId, t, tree],
  );
  const here = from === undefined ? [] : [from ?? TOP];
  const found = choices.filter(({ path }) => contains(path, search));
  const onSearchKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') setChosen(found.find(({ id }) => !here.includes(id))?.id ?? null);
    else if (event.key === 'ArrowDown') list.current?.focus();
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    if (created === null) return;
    confirm.current?.focus();
    list.current?.querySelector(`[data-key="${created}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [created]);
  const onCreated = (folderId: string) => {
    setNaming(false);
    setSearch('');
    setChosen(folderId);
    setCreated(folderId);
  };
  const parent = chosen ?? from ?? TOP;
  const move = (id: string) => {
    onClose();
    onMove(id === TOP ? null : id);
  };
  return (
    <Dialog title={title} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <div onKeyDown={onSearchKey}>
        <SearchField
          label={texts('search')}
          placeholder={texts('search')}
          value={search}
          onChange={setSearch}
          autoFocus
        />
      </div>
      <ListBox
        aria-label={texts('folders')}
        className={styles.list}
        ref={list}
        items={found}
        selectionMode="single"
        selectedKeys={chosen === null ? [] : [chosen]}
        disabledKeys={here}
        onSelectionChange={(keys) => setChosen(keys === 'all' ? null : (([...keys][0] as string) ?? null))}
        renderEmptyState={() => <p className={styles.none}>{texts('none')}</p>}
      >
        {(choice) => (
          <ListBoxItem id={choice.id} textValue={choice.path} className={styles.item}>
            <span className={styles.indent} style={{ width: choice.depth * 20 }} />
            {choice.folderId === null ? <House size={16} aria-hidden /> : <Folder size={16} aria-hidden />}
            <span className={styles.name}>{choice.name}</span>
            {choice.isProtected && <Lock size={12} aria-hidden />}
            {here.includes(choice.id) && <span className={styles.here}>{texts('here')}</span>}
          </ListBoxItem>
        )}
      </ListBox>
      {isNaming && (
        <NewFolderForm
          parentId={parent === TOP ? null : parent}
          onCreated={onCreated}
          onCancel={() => setNaming(false)}
        />
      )}
      <DialogFooter>
        {!isNaming && (
          <Button
            variant="ghost"
            className={styles.create}
            icon={<FolderPlus size={16} aria-hidden />}
            onPress={() => setNaming(true)}
          >
            {texts('create')}
          </Button>
        )}
        <Button onPress={onClose}>{t('cancel')}</Button>
        <Button
          ref={confirm}
          variant="primary"
          isDisabled={chosen === null}
          onPress={() => chosen !== null && move(chosen)}
        >
          {texts('confirm')}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function choicesOf(tree: FolderTree, top: string, movedFolderId: string | undefined): Choice[] {
  const choices: Choice[] = [{ id: TOP, folderId: null, name: top, path: top, depth: 0, isProtected: false }];
  const add = (parentId: string | null, depth: number) => {
    for (const folder of tree.children.get(parentId) ?? []) {
      const { folderId, name, path } = folder;
      if (movedFolderId && isWithin(tree, folderId, movedFolderId)) continue;
      choices.push({ id: folderId, folderId, name, path, depth, isProtected: folder.protected });
      add(folderId, depth + 1);
    }
  };
  add(null, 1);
  return choices;
}
