import { useQuery } from '@tanstack/react-query';
import {
  Download,
  FolderInput,
  Hash,
  Info,
  Link,
  type LucideIcon,
  Maximize2,
  Pencil,
  Send,
  SquarePen,
  Trash2,
} from 'lucide-react';
import { targetsQuery } from '../../admin/targets/targets-query';
import { type Scope, useScope } from '../../scope/scope';
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
  const t = useTranslations('commands');
  const scope = useScope();
  const canWrite = scope.can('assets:write');
  const canDeliver = useCanDeliver(scope, count > 0);
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
    action('details', Info, { shortcut: shortcutHint('details'), isInBar: isSingle }),
    ...(isSingle && canWrite
      ? [action('rename', Pencil, { shortcut: shortcutHint('rename'), isInBar: false })]
      : []),
    ...(!isSingle && canWrite
      ? [action('edit', SquarePen, { shortcut: shortcutHint('edit'), barLabel: t('editShort') })]
      : []),
    ...(canWrite ? [action('move', FolderInput, { shortcut: shortcutHint('move') })] : []),
    action('download', Download, {
      shortcut: shortcutHint('download'),
      barLabel: t('download', { count: 1 }),
    }),
    ...(canDeliver ? [action('deliver', Send, { isInBar: !isSingle })] : []),
    action('copyLink', Link, { shortcut: shortcutHint('copy'), isInBar: isSingle }),
    action('copyId', Hash, { barLabel: t('copyIdShort'), isInBar: !isSingle }),
    ...(canWrite ? [action('trash', Trash2, { shortcut: shortcutHint('trash'), tone: 'danger' })] : []),
  ];
}

/** Only if there is somewhere to deliver to. */
function useCanDeliver(scope: Scope, isNeeded: boolean): boolean {
  const mayDeliver = scope.side === 'admin' && scope.can('deliveries:write') && scope.can('targets:read');
  const { data } = useQuery({ ...targetsQuery(scope), enabled: isNeeded && mayDeliver, staleTime: 60_000 });
  return mayDeliver && data !== undefined && data.length > 0;
}
