import { useCallback, useEffect } from 'react';
import { isShortcut } from './shortcuts';
import { useTranslations } from '../i18n';
import { showToast, type ToastContent } from './toasts';

let last: (() => void) | null = null;
let closeLast: (() => void) | null = null;

let actions = 0;

/** Called when an action starts: Ctrl+Z must not undo an earlier one, even if the service confirms that one later. */
export function startAction(): number {
  last = null;
  return ++actions;
}

/** Called when the last action has been undone elsewhere, or can no longer be. */
export function closeUndo(): void {
  last = null;
  closeLast?.();
}

type UndoToast = (content: Omit<ToastContent, 'action'>, undo: () => void, started: number) => void;

/** A toast with Undo; Ctrl+Z does the same until the next action. */
export function useUndoToast(): UndoToast {
  const t = useTranslations('assets');
  return useCallback(
    (content, undo, started) => {
      const once = () => {
        if (last === once) last = null;
        close();
        undo();
      };
      const isLatest = started === actions;
      if (isLatest) closeLast?.();
      const close = showToast({ ...content, action: { label: t('undo'), onAction: once } });
      if (!isLatest) return;
      last = once;
      closeLast = close;
    },
    [t],
  );
}

export function useUndoKey(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea') !== null;
      if (!isShortcut(event, 'undo') || isTyping || !last) return;
      event.preventDefault();
      last();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
