import {
  type ComponentType,
  createContext,
  type ReactNode,
  Suspense,
  use,
  useCallback,
  useMemo,
  useRef,
  useState,
} from 'react';
import { lazyWithTexts } from '../../i18n/lazy-with-texts';
import { useTranslations } from '../../i18n';
import { useProblemToast } from '../../ui/use-problem-toast';
import type { Asset } from '../../library/asset-types';
import { useLibrary } from '../../library/use-library';
import { openedHere } from '../lightbox/use-close-lightbox';
import { usePreference } from '../preferences';
import { useIsNarrow } from '../../ui/use-media-query';
import { countChosen, type Selection } from '../../library/selection';
import { placesOf } from './places';
import { type ManyChange, useChangeMany } from './use-change-many';
import { type EditOf, useEditAsset } from './use-edit-asset';
import { useMoveAssets } from './use-move-assets';
import { useTrashAssets } from './use-trash-assets';
import { useInUse } from '../../usages/in-use';
import type { Places } from '../../library/asset-types';

const ConflictDialog = lazyWithTexts(() => import('./ConflictDialog'));
const InUseDialog = lazyWithTexts(() => import('../../usages/InUseDialog'));
const EditDialog = lazyWithTexts(() => import('../edit/EditDialog'));
const DeliverChosenDialog = lazyWithTexts(() => import('../details/DeliverChosenDialog'));
const MoveDialog = lazyWithTexts(() => import('../../folders/MoveDialog'));
const TakeAssets = lazyWithTexts(() => import('./TakeAssets'));

export interface SelectionDialogProps {
  readonly selection: Selection;
  onClose: () => void;
}

/** An open dialog for the assets that were selected when it was opened. */
interface SelectionDialog {
  readonly Dialog: ComponentType<SelectionDialogProps>;
  readonly selection: Selection;
}

export type CopyCommand = 'copyLink' | 'copyId';
export type ChosenCommand =
  'open' | 'rename' | 'move' | 'download' | 'details' | 'trash' | 'edit' | 'deliver' | CopyCommand;

/** Changes nothing: downloads the selected assets, or copies something of them. */
export interface Taking {
  readonly command: 'download' | CopyCommand;
  /** Instead of the selected ones, as it is shown: in the lightbox, or with its details. */
  readonly asset?: Asset;
  readonly shownIn?: 'asset' | 'details';
}

export interface AssetCommands {
  /** In the lightbox. */
  open: (assetId: string) => void;
  edit: (asset: Asset, change: EditOf) => Promise<boolean>;
  /** Resolves to whether the change was made. */
  changeChosen: (change: ManyChange) => Promise<boolean>;
  moveChosen: (folderId: string | null) => void;
  take: (taking: Taking) => void;
  /** One that is not selected. */
  trash: (assetId: string) => void;
  /** For all selected assets. */
  run: (command: ChosenCommand) => void;
  readonly isDetailsOpen: boolean;
  setDetailsOpen: (isOpen: boolean) => void;
}

const CommandsContext = createContext<AssetCommands | null>(null);

export function useAssetCommands(): AssetCommands {
  const commands = use(CommandsContext);
  if (!commands) throw new Error('useAssetCommands() needs an <AssetCommandsProvider> above it');
  return commands;
}

export function AssetCommandsProvider({ children }: { children: ReactNode }) {
  const library = useLibrary();
  const { scope, setSearch, selection: store } = library;
  const t = useTranslations('assets');
  const problemToast = useProblemToast();
  const [isDetailsOpen, setDetailsOpen] = useDetailsOpen();
  const [moving, setMoving] = useState<Places | null>(null);
  const [dialog, setDialog] = useState<SelectionDialog | null>(null);
  const { inUse, setInUse, close } = useInUse();
  const { edit, conflict, keepMine, keepTheirs } = useEditAsset(library);
  const move = useMoveAssets(library);
  const trash = useTrashAssets(library, setInUse);
  const changeChosen = useChangeMany(library);
  const [taking, setTaking] = useState<(Taking & { number: number }) | null>(null);
  const take = useCallback(
    (next: Taking) => setTaking((last) => ({ ...next, number: (last?.number ?? 0) + 1 })),
    [],
  );
  const latest = useRef(library);
  latest.current = library;

  const withChosen = useCallback(
    (action: (places: Places) => void) => {
      const { selection } = latest.current.selection.get();
      import('./chosen-assets')
        .then(({ chosenAssets }) => chosenAssets(latest.current, selection))
        .then(action, (error: unknown) => problemToast(error, t('collect.failed')));
    },
    [problemToast, t],
  );
  const open = useCallback(
    (assetId: string) => {
      openedHere();
      setSearch({ asset: assetId });
    },
    [setSearch],
  );
  const run = useCallback(
    (command: ChosenCommand) => {
      const { selection } = store.get();
      const [only] = selection.ids;
      if (countChosen(selection) === 0) return;
      switch (command) {
        case 'open':
          if (only) open(only);
          return;
        case 'rename':
          if (only) store.update({ editingId: only });
          return;
        case 'details':
          return setDetailsOpen(!isDetailsOpen);
        case 'download':
        case 'copyLink':
        case 'copyId':
          return take({ command });
        case 'edit':
          if (scope.can('assets:write')) setDialog({ Dialog: EditDialog, selection });
          return;
        case 'deliver':
          return setDialog({ Dialog: DeliverChosenDialog, selection });
        case 'move':
          if (scope.can('assets:write')) withChosen(setMoving);
          return;
        case 'trash':
          if (scope.can('assets:write')) withChosen((places) => void trash(places));
          return;
      }
    },
    [isDetailsOpen, open, scope, setDetailsOpen, store, take, trash, withChosen],
  );
  const commands = useMemo<AssetCommands>(
    () => ({
      open,
      edit,
      changeChosen,
      moveChosen: (folderId) => withChosen((places) => void move(places, folderId)),
      take,
      trash: (assetId) => {
        if (scope.can('assets:write')) void trash(placesOf(latest.current, [assetId]));
      },
      run,
      isDetailsOpen,
      setDetailsOpen,
    }),
    [changeChosen, edit, isDetailsOpen, move, open, run, scope, setDetailsOpen, trash, withChosen, take],
  );
  return (
    <CommandsContext value={commands}>
      {children}
      <Suspense>
        {moving && (
          <MoveDialog
            title={t('move.title', { count: moving.size })}
            from={sharedFolder(moving)}
            onMove={(folderId) => void move(placesOf(library, moving.keys()), folderId)}
            onClose={() => setMoving(null)}
          />
        )}
        {taking && (
          <TakeAssets
            key={taking.number}
            taking={taking}
            onEnd={() => setTaking((now) => (now === taking ? null : now))}
          />
        )}
        {dialog && <dialog.Dialog selection={dialog.selection} onClose={() => setDialog(null)} />}
        {inUse && (
          <InUseDialog inUse={inUse} onTrashOthers={(others) => void trash(others)} onClose={close} />
        )}
        {conflict && <ConflictDialog conflict={conflict} onKeepMine={keepMine} onKeepTheirs={keepTheirs} />}
      </Suspense>
    </CommandsContext>
  );
}

/** The panel stays open on the next visit. The sheet covers the page, so it is only opened for what is selected. */
function useDetailsOpen(): [boolean, (isOpen: boolean) => void] {
  const panel = usePreference<boolean>('details', false);
  const sheet = useState(false);
  return useIsNarrow() ? sheet : panel;
}

/** The folder that contains all of them; undefined if they are in several. */
function sharedFolder(places: Places): string | null | undefined {
  const folders = new Set(places.values());
  const [only] = folders;
  return folders.size === 1 ? only : undefined;
}
