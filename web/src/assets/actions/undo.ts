import { useCallback, useEffect } from 'react';
import { isShortcut } from '../../app/shortcuts';
import { useTranslations } from '../../i18n';
import { showToast, type ToastContent } from '../../ui/toasts';

let last: (() => void) | null = null;
let closeLast: (() => void) | null = null;

/** Called when another action starts: Ctrl+Z must not undo an earlier one. */
export function forgetUndo(): void {
  last = null;
}

/** A toast with Undo; Ctrl+Z does the same until the next action. */
export function useUndoToast(): (content: Omit<ToastContent, 'action'>, undo: () => void) => void {
  const t = useTranslations('assets');
  return useCallback(
    (content, undo) => {
      const once = () => {
        if (last === once) last = null;
        close();
        undo();
      };
      last = once;
      closeLast?.();
      const close = showToast({ ...content, action: { label: t('undo'), onAction: once } });
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
