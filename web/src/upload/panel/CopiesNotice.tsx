import { CopyCheck } from 'lucide-react';
import { useState } from 'react';
import { startAction, useUndoToast } from '../../ui/undo';
import { useTranslations } from '../../i18n';
import { useSession } from '../../api/use-session';
import { useRestoreIn } from '../../trash/use-restore';
import { Button } from '../../ui/Button';
import { showToast } from '../../ui/toasts';
import { useProblemToast } from '../../ui/use-problem-toast';
import type { UploadedCopy } from '../engine/copies';
import type { UploadEngine } from '../engine/upload-engine';
import { ExistingAsset } from './ExistingAsset';
import styles from './Copies.module.css';

const SHOWN = 50;

interface CopiesProps {
  copies: readonly UploadedCopy[];
  engine: UploadEngine;
}

/** What to do with the uploaded files that the library already had. Shown even if the panel is collapsed. */
export function CopiesNotice({ copies, engine }: CopiesProps) {
  const t = useTranslations('uploads.copies');
  const remove = useRemoveCopies(engine);
  const [only] = copies;
  return (
    <div className={styles.notice}>
      <CopyCheck size={16} aria-hidden />
      <div className={styles.text}>
        <p className={styles.count}>{t('count', { count: copies.length })}</p>
        {only && copies.length === 1 && <ExistingAsset copy={only} />}
        <div className={styles.actions}>
          <Button onPress={() => engine.keepCopies(copies)}>{t('keep')}</Button>
          {remove.isAllowed && (
            <Button isPending={remove.isPending} onPress={() => void remove.run(copies)}>
              {t('remove', { count: copies.length })}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

/** Each copy with what was already there, to decide one at a time. */
export function CopiesList({ copies, engine }: CopiesProps) {
  const t = useTranslations('uploads');
  const remove = useRemoveCopies(engine);
  return (
    <>
      <ul className={styles.list} aria-label={t('copies.list')}>
        {copies.slice(0, SHOWN).map((copy) => (
          <li key={copy.assetId} className={styles.copy}>
            <div className={styles.text}>
              <p className={styles.name} title={[...copy.folders, copy.name].join(' / ')}>
                <bdi>{copy.name}</bdi>
              </p>
              <ExistingAsset copy={copy} />
            </div>
            <Button
              variant="ghost"
              onPress={() => engine.keepCopies([copy])}
              aria-label={t('copies.keepOf', { name: copy.name })}
            >
              {t('copies.keep')}
            </Button>
            {remove.isAllowed && (
              <Button
                variant="ghost"
                isPending={remove.isPending}
                onPress={() => void remove.run([copy])}
                aria-label={t('copies.removeOf', { name: copy.name })}
              >
                {t('copies.removeOne')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {copies.length > SHOWN && <p className={styles.more}>{t('more', { count: copies.length - SHOWN })}</p>}
    </>
  );
}

function useRemoveCopies(engine: UploadEngine) {
  const t = useTranslations('uploads.copies');
  const { can } = useSession();
  const [isPending, setPending] = useState(false);
  const restore = useRestoreIn();
  const undoToast = useUndoToast();
  const problemToast = useProblemToast();
  const run = async (copies: readonly UploadedCopy[]) => {
    const started = startAction();
    setPending(true);
    const { trashed, kept, batches, error } = await engine.removeCopies(copies);
    setPending(false);
    const content = {
      title: t('removed', { count: trashed }),
      description: kept > 0 ? t('kept', { count: kept }) : undefined,
    };
    if (trashed > 0) undoToast(content, () => void restore(batches), started);
    else if (error === null) showToast(content);
    if (error !== null) problemToast(error, t('removeFailed'));
  };
  return { isAllowed: can('assets:write'), isPending, run };
}
