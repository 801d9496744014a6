import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslations } from '../../i18n';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import type { UploadEngine } from '../engine/upload-engine';
import { Announcer } from './Announcer';
import { CopiesList, CopiesNotice } from './CopiesNotice';
import { Notices } from './Notices';
import styles from './Panel.module.css';
import { PanelHeader } from './PanelHeader';
import { ShowFolder } from './ShowFolder';
import { UploadRowView } from './UploadRowView';

const STAYS_AFTER_SUCCESS_MS = 8_000;
const isNarrow = () => matchMedia('(width < 560px)').matches;

export interface PanelProps {
  engine: UploadEngine;
  /** Whether the page can show the folder of what has been uploaded. */
  linksToFolder: boolean;
}

/** All uploads of the page. Collapses to one line, and closes automatically when everything has succeeded. */
export default function Panel({ engine, linksToFolder }: PanelProps) {
  const t = useTranslations('uploads');
  const snapshot = useSyncExternalStore(engine.subscribe, engine.getSnapshot);
  const [isFolded, setFolded] = useState(isNarrow);
  const [isAsking, setAsking] = useState(false);
  const region = useRef<HTMLElement>(null);
  const { rows, hidden, unfinished, failed, copies, files } = snapshot;
  const needsNothing = unfinished + failed + copies.length === 0;
  useClosingAfterSuccess(engine, needsNothing && files.done > 0, region);

  const close = () => {
    if (unfinished > 0) return setAsking(true);
    engine.dismissFailed();
    engine.keepCopies(copies);
    engine.clearFinished();
  };
  const isShown = rows.length > 0 || files.total > 0 || copies.length > 0;
  const isAtEnd = unfinished === 0 && copies.length > 0;
  return (
    <>
      <Announcer snapshot={snapshot} />
      {isShown && (
        <section ref={region} className={styles.panel} data-upload-panel aria-label={t('uploads')}>
          <PanelHeader
            snapshot={snapshot}
            engine={engine}
            isFolded={isFolded}
            onFold={() => setFolded(!isFolded)}
            onClose={close}
          />
          {linksToFolder && unfinished === 0 && <ShowFolder filled={snapshot.filled} />}
          {isAtEnd && <CopiesNotice copies={copies} engine={engine} />}
          {!isFolded && (
            <div className={styles.body}>
              <Notices snapshot={snapshot} engine={engine} />
              {rows.length > 0 && (
                <ul className={styles.rows} aria-label={t('files')}>
                  {rows.map((row) => (
                    <UploadRowView key={row.id} row={row} engine={engine} isPaused={snapshot.isPaused} />
                  ))}
                </ul>
              )}
              {isAtEnd && copies.length > 1 && <CopiesList copies={copies} engine={engine} />}
              {hidden > 0 && <p className={styles.hidden}>{t('more', { count: hidden })}</p>}
            </div>
          )}
        </section>
      )}
      <ConfirmDialog
        title={t('cancelAllTitle', { count: unfinished })}
        confirmLabel={t('cancelAllConfirm')}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={() => engine.cancel()}
      >
        {t('cancelAllText')}
      </ConfirmDialog>
    </>
  );
}

/** Waits while the user is reading it. */
function useClosingAfterSuccess(
  engine: UploadEngine,
  isDone: boolean,
  region: React.RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    if (!isDone) return;
    const timer = setInterval(() => {
      if (!region.current?.matches(':hover, :has(:focus-visible)')) engine.clearFinished();
    }, STAYS_AFTER_SUCCESS_MS);
    return () => clearInterval(timer);
  }, [engine, isDone, region]);
}
