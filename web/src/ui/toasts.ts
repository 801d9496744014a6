export interface ToastContent {
  title: string;
  description?: string;
  tone?: 'neutral' | 'success' | 'danger';
  /** Usually Undo. The toast closes when it is pressed. */
  action?: { label: string; onAction: () => void };
  requestId?: string | null;
}

const UNDO_MS = 8_000;
const READ_MS = 5_000;

let isNeeded = false;
const listeners = new Set<() => void>();

/** Whether a toast has been shown: the code that shows toasts is loaded with the first one. */
export const toasts = {
  isNeeded: () => isNeeded,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Shows a toast and returns a function that removes it. Failures stay until they are closed. */
export function showToast(content: ToastContent): () => void {
  const timeout = content.action ? UNDO_MS : content.tone === 'danger' ? undefined : READ_MS;
  const shown = import('./toast-queue').then(({ toastQueue }) => {
    const key = toastQueue.add(content, { timeout });
    return () => toastQueue.close(key);
  });
  isNeeded = true;
  for (const listener of listeners) listener();
  return () => void shown.then((close) => close());
}
