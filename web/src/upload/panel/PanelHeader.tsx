import {
  CircleAlert,
  CircleCheck,
  ChevronDown,
  ChevronUp,
  CloudOff,
  CopyCheck,
  Pause,
  Play,
  Upload,
  X,
} from 'lucide-react';
import { useTranslations } from '../../i18n';
import { IconButton } from '../../ui/IconButton';
import { Progress } from '../../ui/Progress';
import type { UploadEngine, UploadSnapshot } from '../engine/upload-engine';
import styles from './Panel.module.css';
import { useUploadFormats } from './use-upload-formats';

export interface PanelHeaderProps {
  snapshot: UploadSnapshot;
  engine: UploadEngine;
  isFolded: boolean;
  onFold: () => void;
  onClose: () => void;
}

/** A one-line summary, and the controls for all uploads together. */
export function PanelHeader({ snapshot, engine, isFolded, onFold, onClose }: PanelHeaderProps) {
  const t = useTranslations('uploads');
  const { unfinished, isPaused, bytes, bytesPerSecond } = snapshot;
  const formats = useUploadFormats();
  const isRunning = unfinished > 0;
  const title = useTitle(snapshot);
  const facts = useFacts(snapshot);
  const share = bytes.total > 0 ? bytes.sent / bytes.total : 0;
  return (
    <>
      <header className={styles.header}>
        <StateIcon snapshot={snapshot} />
        <div className={styles.headings}>
          <h2 className={styles.title}>{title}</h2>
          {facts && <p className={styles.facts}>{facts}</p>}
        </div>
        <div className={styles.controls}>
          {isRunning && (
            <IconButton
              label={isPaused ? t('resumeAll') : t('pauseAll')}
              icon={isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
              onPress={() => (isPaused ? engine.resume() : engine.pause())}
            />
          )}
          <IconButton
            label={isFolded ? t('unfold') : t('fold')}
            icon={isFolded ? <ChevronUp aria-hidden /> : <ChevronDown aria-hidden />}
            onPress={onFold}
          />
          <IconButton
            label={isRunning ? t('cancelAll') : t('close')}
            icon={<X aria-hidden />}
            onPress={onClose}
          />
        </div>
      </header>
      {isRunning && (
        <div className={styles.progress}>
          <Progress label={t('overall')} value={share} />
          {!isFolded && (
            <p className={styles.amounts}>
              <span>{formats.share(bytes.sent, bytes.total)}</span>
              {bytesPerSecond !== null && <span>{formats.speed(bytesPerSecond)}</span>}
            </p>
          )}
        </div>
      )}
    </>
  );
}

function StateIcon({ snapshot }: { snapshot: UploadSnapshot }) {
  const { unfinished, failed, copies, isOffline, obstacle } = snapshot;
  if (obstacle || (unfinished === 0 && failed > 0))
    return <CircleAlert className={styles.danger} aria-hidden />;
  if (unfinished > 0 && isOffline) return <CloudOff className={styles.warning} aria-hidden />;
  if (unfinished > 0) return <Upload className={styles.accent} aria-hidden />;
  if (copies.length > 0) return <CopyCheck className={styles.warning} aria-hidden />;
  return <CircleCheck className={styles.success} aria-hidden />;
}

export function useTitle({
  unfinished,
  failed,
  copies,
  files,
  isPaused,
  isOffline,
  obstacle,
}: UploadSnapshot) {
  const t = useTranslations('uploads');
  if (unfinished > 0) {
    if (obstacle) return t('titleStopped');
    if (isOffline) return t('titleOffline');
    if (isPaused) return t('titlePaused');
    return t('titleUploading', { count: files.total });
  }
  if (failed > 0) return t('titleFailed', { count: failed });
  if (files.done === 0 && copies.length > 0) return t('copies.title', { count: copies.length });
  return t('titleDone', { count: files.done });
}

function useFacts({ unfinished, files, secondsLeft, failed }: UploadSnapshot) {
  const t = useTranslations('uploads');
  const formats = useUploadFormats();
  if (unfinished === 0) return failed > 0 && files.done > 0 ? t('factsDone', { count: files.done }) : null;
  const facts = files.total > 1 ? [t('factsProgress', { done: files.done, total: files.total })] : [];
  if (secondsLeft !== null) facts.push(t('timeLeft', { time: formats.duration(secondsLeft) }));
  return facts.join(' · ');
}
