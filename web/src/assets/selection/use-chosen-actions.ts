import {
  Download,
  FolderInput,
  Hash,
  Info,
  Link,
  type LucideIcon,
  Maximize2,
  Pencil,
  Trash2,
} from 'lucide-react';
import { useScope } from '../../scope/scope';
import { shortcutHint } from '../../ui/shortcuts';
import { useTranslations } from '../../i18n';
import type { ChosenCommand } from '../actions/asset-commands';

export interface ChosenAction {
  readonly command: ChosenCommand;
  readonly label: string;
  readonly barLabel: string;
  readonly Icon: LucideIcon;
  readonly shortcut?: string;
  readonly tone?: 'danger';
  readonly isInBar: boolean;
}

/** The actions for the selected assets. Bar and menu show the same actions with the same labels. */
export function useChosenActions(count: number): ChosenAction[] {
  const t = useTranslations('assets.commands');
  const canWrite = useScope().can('assets:write');
  if (count === 0) return [];
  const isSingle = count === 1;
  const action = (
    command: ChosenCommand,
    Icon: LucideIcon,
    options: Partial<Omit<ChosenAction, 'command' | 'Icon'>> = {},
  ): ChosenAction => ({
    command,
    Icon,
    label: t(command, { count }),
    barLabel: t(command, { count }),
    isInBar: true,
    ...options,
  });
  return [
    ...(isSingle ? [action('open', Maximize2, { shortcut: shortcutHint('open'), isInBar: false })] : []),
    action('details', Info, {
      shortcut: shortcutHint('details'),
      label: t(isSingle ? 'details' : 'editMany'),
      barLabel: t(isSingle ? 'details' : 'editMany'),
    }),
    ...(isSingle && canWrite
      ? [action('rename', Pencil, { shortcut: shortcutHint('rename'), isInBar: false })]
      : []),
    ...(canWrite ? [action('move', FolderInput, { shortcut: shortcutHint('move') })] : []),
    action('download', Download, { shortcut: shortcutHint('download') }),
    action('copyLink', Link, { shortcut: shortcutHint('copy'), isInBar: isSingle }),
    action('copyId', Hash, { isInBar: !isSingle }),
    ...(canWrite ? [action('trash', Trash2, { shortcut: shortcutHint('trash'), tone: 'danger' })] : []),
  ];
}
