import { createContext, type ReactNode, Suspense, use, useCallback, useMemo, useState } from 'react';
import { lazyWithTexts } from '../i18n/lazy-with-texts';
import { download } from '../browser/download';
import { useInUse } from '../usages/in-use';
import type { Folder } from '../library/asset-types';
import { inFolder } from '../library/library-search';
import { zipUrl } from '../library/preview-url';
import { useLibrary } from '../library/use-library';
import { useTranslations } from '../i18n';
import { showToast } from '../ui/toasts';
import { useFolderChanges } from './use-folder-changes';

const FolderMenu = lazyWithTexts(() => import('./FolderMenu'));
const CreateFolderDialog = lazyWithTexts(() => import('./CreateFolderDialog'));
const InUseDialog = lazyWithTexts(() => import('../usages/InUseDialog'));
const CopyFolderLink = lazyWithTexts(() => import('./CopyFolderLink'));
const MoveDialog = lazyWithTexts(() => import('./MoveDialog'));

type Place = { readonly x: number; readonly y: number };
/** A folder is shown in the tree and as a tile. Its name is edited where the user started the renaming. */
export type FolderSpot = 'tree' | 'tile' | 'title';

export interface FolderCommands {
  open: (folderId: string | null) => void;
  create: (parentId: string | null) => void;
  readonly editing: { readonly folderId: string; readonly spot: FolderSpot } | null;
  startRename: (folder: Folder, spot: FolderSpot) => void;
  stopRename: () => void;
  rename: (folder: Folder, name: string) => Promise<void>;
  move: (folderId: string, parentId: string | null) => Promise<void>;
  chooseMove: (folder: Folder) => void;
  trash: (folder: Folder) => void;
  downloadZip: (folderId: string | null) => void;
  copyLink: (folderId: string) => void;
  openMenu: (folder: Folder, spot: FolderSpot, at: Place) => void;
}

const CommandsContext = createContext<FolderCommands | null>(null);

export function useFolderCommands(): FolderCommands {
  const commands = use(CommandsContext);
  if (!commands) throw new Error('useFolderCommands() needs a <FolderCommandsProvider> above it');
  return commands;
}

export function FolderCommandsProvider({ children }: { children: ReactNode }) {
  const { scope, setSearch } = useLibrary();
  const t = useTranslations('folders');
  const [creating, setCreating] = useState<{ parentId: string | null } | null>(null);
  const [editing, setEditing] = useState<FolderCommands['editing']>(null);
  const [copied, copyLink] = useState<string | null>(null);
  const [moving, setMoving] = useState<Folder | null>(null);
  const [menu, setMenu] = useState<{ folder: Folder; spot: FolderSpot; at: Place } | null>(null);
  const { inUse, setInUse, close } = useInUse();
  const changes = useFolderChanges(setInUse);

  /** The API would reject it too, but this shows the reason immediately. */
  const unlessProtected = useCallback(
    (folder: Folder, action: () => void) => {
      if (!folder.protected) return action();
      showToast({ title: t('protected.title', { name: folder.name }), description: t('protected.why') });
    },
    [t],
  );
  const commands = useMemo<FolderCommands>(
    () => ({
      open: (folderId) => setSearch(inFolder(folderId)),
      create: (parentId) => setCreating({ parentId }),
      editing,
      startRename: (folder, spot) =>
        unlessProtected(folder, () => setEditing({ folderId: folder.folderId, spot })),
      stopRename: () => setEditing(null),
      rename: (folder, name) => {
        setEditing(null);
        return changes.rename(folder, name);
      },
      move: (folderId, parentId) => changes.move(folderId, parentId),
      chooseMove: (folder) => unlessProtected(folder, () => setMoving(folder)),
      trash: (folder) => unlessProtected(folder, () => void changes.trash(folder)),
      downloadZip: (folderId) => {
        download(zipUrl(scope.basePath, folderId));
        showToast({ title: t('zip.started') });
      },
      copyLink,
      openMenu: (folder, spot, at) => setMenu({ folder, spot, at }),
    }),
    [changes, editing, scope, setSearch, t, unlessProtected],
  );
  return (
    <CommandsContext value={commands}>
      {children}
      <Suspense>{menu && <FolderMenu menu={menu} onClose={() => setMenu(null)} />}</Suspense>
      <Suspense>
        {creating && <CreateFolderDialog parentId={creating.parentId} onClose={() => setCreating(null)} />}
        {copied !== null && <CopyFolderLink folderId={copied} onEnd={() => copyLink(null)} />}
        {moving && (
          <MoveDialog
            title={t('move.title', { name: moving.name })}
            from={moving.parentId}
            movedFolderId={moving.folderId}
            onMove={(parentId) => void changes.move(moving.folderId, parentId)}
            onClose={() => setMoving(null)}
          />
        )}
        {inUse && <InUseDialog inUse={inUse} onTrashOthers={() => undefined} onClose={close} />}
      </Suspense>
    </CommandsContext>
  );
}
