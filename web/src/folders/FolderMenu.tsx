import { Download, FolderInput, FolderOpen, FolderPlus, Link, Pencil, Trash2 } from 'lucide-react';
import { useScope } from '../scope/scope';
import { shortcutHint } from '../ui/shortcuts';
import type { Folder } from '../library/asset-types';
import { useTranslations } from '../i18n';
import { ContextMenu } from '../ui/ContextMenu';
import { MenuItem, MenuSeparator } from '../ui/Menu';
import { type FolderSpot, useFolderCommands } from './folder-commands';

export interface FolderMenuProps {
  readonly menu: { folder: Folder; spot: FolderSpot; at: { x: number; y: number } };
  onClose: () => void;
}

/** The menu of a folder in the tree or of a tile. For a protected folder, disabled items explain why. */
export default function FolderMenu({ menu, onClose }: FolderMenuProps) {
  const t = useTranslations('dialogs.folderMenu');
  const folders = useTranslations('folders');
  const commands = useFolderCommands();
  const canWrite = useScope().can('assets:write');
  const { folder } = menu;
  const locked = {
    isDisabled: folder.protected,
    description: folder.protected ? folders('protected.short') : undefined,
  };
  return (
    <ContextMenu label={folders('menuLabel', { name: folder.name })} at={menu.at} onClose={onClose}>
      <MenuItem
        label={t('open')}
        icon={<FolderOpen aria-hidden />}
        onAction={() => commands.open(folder.folderId)}
      />
      {canWrite && (
        <>
          <MenuItem
            label={t('create')}
            icon={<FolderPlus aria-hidden />}
            onAction={() => commands.create(folder.folderId)}
          />
          <MenuItem
            {...locked}
            label={t('rename')}
            icon={<Pencil aria-hidden />}
            shortcut={shortcutHint('rename')}
            onAction={() => commands.startRename(menu.folder, menu.spot)}
          />
          <MenuItem
            {...locked}
            label={t('move')}
            icon={<FolderInput aria-hidden />}
            onAction={() => commands.chooseMove(folder)}
          />
        </>
      )}
      <MenuItem
        label={t('zip')}
        icon={<Download aria-hidden />}
        onAction={() => commands.downloadZip(folder.folderId)}
      />
      <MenuItem
        label={t('copyLink')}
        icon={<Link aria-hidden />}
        onAction={() => commands.copyLink(folder.folderId)}
      />
      {canWrite && (
        <>
          <MenuSeparator />
          <MenuItem
            {...locked}
            label={t('trash')}
            icon={<Trash2 aria-hidden />}
            shortcut={shortcutHint('trash')}
            tone="danger"
            onAction={() => commands.trash(folder)}
          />
        </>
      )}
    </ContextMenu>
  );
}
