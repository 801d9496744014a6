import { Upload } from 'lucide-react';
import { useState } from 'react';
import { useSessionState } from '../api/use-session';
import type { Surface } from '../api/values';
import { useScope } from '../scope/scope';
import { useFilterLabels } from '../library/filter-labels';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { ErrorState } from '../ui/ErrorState';
import { SearchField } from '../ui/SearchField';
import { PageDropZone } from '../upload/PageDropZone';
import { UploadPanel } from '../upload/UploadPanel';
import { UploadProvider, useUploads } from '../upload/UploadProvider';
import { FolderPath } from './FolderPath';
import { NotRemembered } from './NotRemembered';
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

/** Lets the user browse folders, search, upload, and choose one or more assets. The selection is kept across folders. */
export function PickerLibrary(props: PickerLibraryProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const onUploaded = ({ assetRef }: { assetRef: string }) =>
    setChosen((others) => new Set(props.isMultiple ? [...others, assetRef] : [assetRef]));
  return (
    <UploadProvider onUploaded={onUploaded}>
      <Content {...props} chosen={chosen} setChosen={setChosen} />
      <UploadPanel />
    </UploadProvider>
  );
}

interface ContentProps extends PickerLibraryProps {
  chosen: ReadonlySet<string>;
  setChosen: (chosen: ReadonlySet<string>) => void;
}

function Content(props: ContentProps) {
  const { surface, isMultiple, onPick, onCancel, onOtherClient, chosen, setChosen } = props;
  const t = useTranslations('picker');
  const labels = useFilterLabels();
  const scope = useScope();
  const [folderId, setFolderId] = useState<string | null>(null);
  const [text, setText] = useState('');
  const { isRemembered } = useSessionState();
  const { pick } = useUploads();
  const assets = usePickerAssets(scope, { folderId, text, surface });
  const first = assets.data?.pages[0];
  const openFolder = (id: string | null) => {
    setText('');
    setFolderId(id);
  };
  return (
    <PageDropZone className={styles.page} folderId={folderId} folderName={first?.folder?.name ?? t('top')}>
      <header className={styles.bar}>
        <FolderPath
          breadcrumbs={first?.breadcrumbs ?? []}
          folder={first?.folder ?? null}
          onOpen={openFolder}
          onOtherClient={onOtherClient}
        />
        <div className={styles.tools}>
          <SearchField
            className={styles.search}
            label={t('search')}
            placeholder={t('search')}
            value={text}
            onChange={setText}
          />
          {scope.can('assets:write') && (
            <Button icon={<Upload aria-hidden />} onPress={() => pick({ folderId })}>
              {t('upload')}
            </Button>
          )}
        </div>
      </header>
      {!isRemembered && <NotRemembered />}
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
      <footer className={styles.footer} data-selection-bar>
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
    </PageDropZone>
  );
}
