import { X } from 'lucide-react';
import { Toolbar } from 'react-aria-components/Toolbar';
import { shortcutHint } from '../../ui/shortcuts';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { IconButton } from '../../ui/IconButton';
import { useAssetCommands } from '../actions/asset-commands';
import { useAssetFormats } from '../../library/formats';
import { useLibrary } from '../../library/use-library';
import { countChosen } from '../../library/selection';
import { useSelectionState } from '../../library/selection-store';
import { useChosenActions } from './use-chosen-actions';
import styles from './SelectionBar.module.css';

/** Floats at the bottom while assets are selected, with the actions that the user is allowed to take. */
export default function SelectionBar() {
  const t = useTranslations('assets');
  const formats = useAssetFormats();
  const { selection: store } = useLibrary();
  const commands = useAssetCommands();
  const count = countChosen(useSelectionState(store).selection);
  const actions = useChosenActions(count).filter(({ isInBar }) => isInBar);
  return (
    <div className={styles.place} data-selection-bar>
      <Toolbar className={styles.bar} aria-label={t('selection.label')}>
        <IconButton
          label={t('selection.clear')}
          shortcut={shortcutHint('escape')}
          icon={<X size={18} aria-hidden />}
          onPress={() => store.clear()}
        />
        {count === 0 ? (
          <span className={styles.hint} role="status">
            {t('selection.hint')}
          </span>
        ) : (
          <>
            <span className={styles.count} role="status">
              <span className={styles.short} aria-hidden>
                {formats.number(count)}
              </span>
              <span className={styles.long}>
                {t('selection.count', { count, number: formats.number(count) })}
              </span>
            </span>
            <span className={styles.divider} />
          </>
        )}
        {actions.map(({ command, label, barLabel, Icon, tone }) => (
          <Button
            key={command}
            variant={tone === 'danger' ? 'dangerGhost' : 'ghost'}
            icon={<Icon size={16} aria-hidden />}
            aria-label={label}
            className={styles.action}
            onPress={() => commands.run(command)}
          >
            {barLabel}
          </Button>
        ))}
      </Toolbar>
    </div>
  );
}
