import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useCallback, useEffect, useState } from 'react';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { Dialog, DialogFooter } from '../../ui/Dialog';
import { ProblemNote } from '../../ui/ErrorState';
import { Skeleton } from '../../ui/Skeleton';
import { TextField } from '../../ui/TextField';
import { useAssetCommands } from '../actions/asset-commands';
import { PAGE_SIZE } from '../../library/asset-pages';
import { type Asset, lacksAltText } from '../../library/asset-types';
import { pageQuery } from '../../library/library-queries';
import { previewUrl } from '../../library/preview-url';
import { type Library, useLibrary } from '../../library/use-library';
import styles from './AltTextDialog.module.css';

/** Steps through the listed assets without alt text, one at a time. */
export default function AltTextDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('details.altFlow');
  const { scope } = useLibrary();
  const { edit } = useAssetCommands();
  const { asset, error, isDone, next } = useNextWithoutAltText();
  const [text, setText] = useState('');
  const [hasSkipped, setSkipped] = useState(false);
  const goOn = () => {
    setText('');
    next();
  };
  const save = () => {
    const altText = text.trim();
    if (!asset || altText === '') return;
    void edit(asset, { altText });
    goOn();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    save();
  };
  return (
    <Dialog title={t('title')} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      {error !== null && <ProblemNote error={error} />}
      {isDone && <p>{t(hasSkipped ? 'doneExceptSkipped' : 'done')}</p>}
      {!isDone && error === null && (
        <>
          <div className={styles.picture}>
            {asset ? (
              <img key={asset.assetId} src={previewUrl(scope.basePath, asset, 'large')} alt="" />
            ) : (
              <Skeleton height="100%" radius={12} />
            )}
          </div>
          <p className={styles.name}>{asset?.title}</p>
          <div onKeyDown={onKeyDown}>
            <TextField
              key={asset?.assetId}
              label={t('label')}
              description={t('hint')}
              rows={2}
              maxLength={2000}
              value={text}
              onChange={setText}
              autoFocus
            />
          </div>
        </>
      )}
      <DialogFooter>
        {isDone || error !== null ? (
          <Button variant="primary" onPress={onClose} autoFocus>
            {t('close')}
          </Button>
        ) : (
          <>
            <Button
              onPress={() => {
                setSkipped(true);
                goOn();
              }}
            >
              {t('skip')}
            </Button>
            <Button variant="primary" isDisabled={text.trim() === ''} onPress={save}>
              {t('save')}
            </Button>
          </>
        )}
      </DialogFooter>
    </Dialog>
  );
}

function useNextWithoutAltText() {
  const client = useQueryClient();
  const library = useLibrary();
  const [from, setFrom] = useState(0);
  const [found, setFound] = useState<{ asset: Asset; index: number } | null>(null);
  const [isDone, setDone] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const find = useCallback(
    async ({ scope, listing }: Library, start: number) => {
      for (let index = start; ;) {
        const number = Math.floor(index / PAGE_SIZE);
        const page = await client.fetchQuery({ ...pageQuery(scope, listing, number), staleTime: 60_000 });
        const end = (number + 1) * PAGE_SIZE;
        for (; index < end; index++) {
          const asset = page.assets[index % PAGE_SIZE];
          if (asset && lacksAltText(asset)) return { asset, index };
        }
        if (!page.nextCursor) return null;
      }
    },
    [client],
  );
  useEffect(() => {
    let isCurrent = true;
    find(library, from).then(
      (next) => {
        if (!isCurrent) return;
        setFound(next);
        setDone(next === null);
      },
      (problem: unknown) => isCurrent && setError(problem),
    );
    return () => {
      isCurrent = false;
    };
    // The library changes with every saved text, so only the position to continue from is kept.
  }, [find, from]);
  const next = () => {
    if (!found) return;
    setFrom(found.index + 1);
    setFound(null);
  };
  return { asset: found?.asset, error, isDone, next };
}
