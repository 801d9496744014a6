import { useEffect, useRef, useState } from 'react';
import { useTranslations } from '../../i18n';
import type { UploadSnapshot } from '../engine/upload-engine';
import { useFailureText } from './FailureText';

/** Announces start, end, failures and lost connections to screen readers, but not every percent. */
export function Announcer({ snapshot }: { snapshot: UploadSnapshot }) {
  const t = useTranslations('uploads');
  const failureText = useFailureText();
  const last = useRef<UploadSnapshot | null>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    const before = last.current;
    last.current = snapshot;
    const news = newsOf(before, snapshot);
    if (news === null) return;
    const failed = snapshot.rows.findLast(({ failure }) => failure !== null);
    if (news === 'started') setText(t('announceStarted', { count: snapshot.files.total }));
    else if (news === 'offline') setText(t('offline'));
    else if (news === 'online') setText(t('announceOnline'));
    else if (news === 'failed' && failed?.failure)
      setText(t('announceFailed', { name: failed.name, text: failureText(failed.failure) }));
    else if (news === 'finished')
      setText(
        t('announceFinished', {
          done: snapshot.files.done,
          failed: snapshot.failed,
          copies: snapshot.copies.length,
        }),
      );
  }, [snapshot, t, failureText]);
  return (
    <div role="status" className="visually-hidden">
      {text}
    </div>
  );
}

type News = 'started' | 'offline' | 'online' | 'failed' | 'finished';

function newsOf(before: UploadSnapshot | null, now: UploadSnapshot): News | null {
  const wasRunning = (before?.unfinished ?? 0) > 0;
  // A small file may start and finish between two snapshots, or before the panel has loaded.
  const hasNews = wasRunning || finishedIn(now) > finishedIn(before);
  if (now.unfinished === 0) return hasNews && finishedIn(now) > 0 ? 'finished' : null;
  if (now.failed > (before?.failed ?? 0)) return 'failed';
  if (now.isOffline !== (before?.isOffline ?? false)) return now.isOffline ? 'offline' : 'online';
  return wasRunning ? null : 'started';
}

const finishedIn = (snapshot: UploadSnapshot | null) =>
  snapshot === null ? 0 : snapshot.files.done + snapshot.failed;
