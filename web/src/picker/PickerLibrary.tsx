import { useState } from 'react';
import type { Surface } from '../api/values';
import { useScope } from '../scope/scope';
import { useFilterLabels } from '../library/filter-labels';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { ErrorState } from '../ui/ErrorState';
import { SearchField } from '../ui/SearchField';
import { FolderPath } from './FolderPath';
import styles from './Picker.module.css';
import { PickerGrid } from './PickerGrid';
import { usePickerAssets } from './use-picker-assets';

export interface PickerLibraryProps {
  surface: Surface | undefined;
  isMultiple: boolean;
  onPick: (assetRefs: string[]) => void;
  onCancel: () => void;
  /** Absent if there is no other client to choose. */
  onOtherClient?: () => void;
}

/** Lets the user browse folders, search, and choose one or more assets. The selection is kept across folders. */
export function PickerLibrary({ surface, isMultiple, onPick, onCancel, onOtherClient }: PickerLibraryProps) {
  const t = useTranslations('picker');
  const labels = useFilterLabels();
  const scope = useScope();
  const [folderId, setFolderId] = useState<string | null>(null);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const assets = usePickerAssets(scope, { folderId, text, surface });
  const first = assets.data?.pages[0];
  const openFolder = (id: string | null) => {
    setText('');
    setFolderId(id);
  };
  return (
    <main className={styles.page}>
      <header className={styles.bar}>
        <FolderPath
          breadcrumbs={first?.breadcrumbs ?? []}
          folder={first?.folder ?? null}
          onOpen={openFolder}
          onOtherClient={onOtherClient}
        />
        <SearchField
          className={styles.search}
          label={t('search')}
          placeholder={t('search')}
          value={text}
          onChange={setText}
        />
      </header>
      <div className={styles.content}>
        {surface && (
          <p className={styles.surface}>{t('onlySurface', { surface: labels.surface(surface) })}</p>
        )}
        {assets.error ? (
          <ErrorState error={assets.error} onRetry={() => void assets.refetch()} />
        ) : (
          <PickerGrid
            assets={assets}
            isSearch={text.trim() !== ''}
            isMultiple={isMultiple}
            chosen={chosen}
            onChoose={setChosen}
            onOpenFolder={openFolder}
          />
        )}
      </div>
      <footer className={styles.footer}>
        <span className={styles.count} role="status">
          {chosen.size > 0 && t('selected', { count: chosen.size })}
        </span>
        {chosen.size > 1 && (
          <Button variant="ghost" onPress={() => setChosen(new Set())}>
            {t('clear')}
          </Button>
        )}
        <Button onPress={onCancel}>{t('cancel')}</Button>
        <Button variant="primary" isDisabled={chosen.size === 0} onPress={() => onPick([...chosen])}>
          {t('choose')}
        </Button>
      </footer>
    </main>
  );
}
