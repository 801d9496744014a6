import { useTranslations } from '../../i18n';
import { ContextMenu } from '../../ui/ContextMenu';
import { MenuItem, MenuSeparator } from '../../ui/Menu';
import { useAssetCommands } from '../actions/asset-commands';
import { useLibrary } from '../../library/use-library';
import { countChosen } from '../../library/selection';
import { useSelectionState } from '../../library/selection-store';
import { useChosenActions } from './use-chosen-actions';

export interface AssetMenuProps {
  readonly at: { x: number; y: number };
  onClose: () => void;
}

/** The context menu of the selected assets. */
export default function AssetMenu({ at, onClose }: AssetMenuProps) {
  const t = useTranslations('assets');
  const { selection: store } = useLibrary();
  const commands = useAssetCommands();
  const count = countChosen(useSelectionState(store).selection);
  const actions = useChosenActions(count);
  return (
    <ContextMenu label={t('selection.label')} at={at} onClose={onClose}>
      {actions.map(({ command, label, Icon, shortcut, tone }) => [
        tone === 'danger' && <MenuSeparator key="separator" />,
        <MenuItem
          key={command}
          label={label}
          icon={<Icon aria-hidden />}
          shortcut={shortcut}
          tone={tone}
          onAction={() => commands.run(command)}
        />,
      ])}
    </ContextMenu>
  );
}
