import { Check, CircleAlert, Film, Image, Pause, Play, RotateCcw, X } from 'lucide-react';
import { memo } from 'react';
import { useTranslations } from '../../i18n';
import { IconButton } from '../../ui/IconButton';
import { Progress } from '../../ui/Progress';
import type { UploadEngine } from '../engine/upload-engine';
import type { UploadRow } from '../engine/upload-item';
import { FailureText } from './FailureText';
import styles from './Panel.module.css';
import { useUploadFormats } from './use-upload-formats';

const ICONS = {
  image: <Image aria-hidden />,
  film: <Film aria-hidden />,
  failed: <CircleAlert className={styles.danger} aria-hidden />,
  done: <Check className={styles.success} aria-hidden />,
};

export interface UploadRowProps {
  row: UploadRow;
  engine: UploadEngine;
  /** All uploads are paused. */
  isPaused: boolean;
}

export const UploadRowView = memo(function UploadRowView({ row, engine, isPaused }: UploadRowProps) {
  const t = useTranslations('uploads');
  const { id, name, folders, state, size, sentBytes, failure } = row;
  const isMoving = state === 'starting' || state === 'sending' || state === 'checking';
  return (
    <li className={styles.row} data-state={state}>
      <span className={styles.kind}>{iconOf(row)}</span>
      <div className={styles.rowText}>
        <p className={styles.name} title={[...folders, name].join(' / ')}>
          {folders.length > 0 && <span className={styles.folders}>{folders.join(' / ')} / </span>}
          <bdi>{name}</bdi>
        </p>
        {failure ? (
          <div className={styles.failure}>
            <FailureText failure={failure} />
          </div>
        ) : (
          <StateText row={row} isPaused={isPaused} />
        )}
        {state === 'sending' && (
          <div className={styles.rowProgress}>
            <Progress label={t('progressOf', { name })} value={sentBytes / size} />
          </div>
        )}
      </div>
      <div className={styles.rowControls}>
        {(state === 'starting' || state === 'sending') && (
          <IconButton
            label={t('pause', { name })}
            icon={<Pause aria-hidden />}
            onPress={() => engine.pause(id)}
          />
        )}
        {state === 'paused' && (
          <IconButton
            label={t('resume', { name })}
            icon={<Play aria-hidden />}
            onPress={() => engine.resume(id)}
          />
        )}
        {failure && !failure.isFinal && (
          <IconButton
            label={t('retry', { name })}
            icon={<RotateCcw aria-hidden />}
            onPress={() => engine.retry(id)}
          />
        )}
        {state !== 'done' && (
          <IconButton
            label={
              isMoving || state === 'waiting' || state === 'paused'
                ? t('cancel', { name })
                : t('dismiss', { name })
            }
            icon={<X aria-hidden />}
            onPress={() => engine.cancel(id)}
          />
        )}
      </div>
    </li>
  );
});

function StateText({ row: { state, size, sentBytes }, isPaused }: { row: UploadRow; isPaused: boolean }) {
  const t = useTranslations('uploads');
  const formats = useUploadFormats();
  const text = () => {
    if (state === 'sending')
      return `${formats.percent(sentBytes / size)} · ${formats.share(sentBytes, size)}`;
    if (state === 'starting') return t('states.starting');
    if (state === 'checking') return t('states.checking');
    if (state === 'done') return t('states.done');
    if (state === 'paused' || isPaused) return t('states.paused');
    return `${t('states.waiting')} · ${formats.bytes(size)}`;
  };
  return <p className={styles.state}>{text()}</p>;
}

function iconOf({ state, name }: UploadRow) {
  if (state === 'failed' || state === 'done') return ICONS[state];
  return /\.mp4$/i.test(name) ? ICONS.film : ICONS.image;
}
