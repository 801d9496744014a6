import { ToastQueue } from 'react-stately/useToastState';

export interface ToastContent {
  title: string;
  description?: string;
  tone?: 'neutral' | 'success' | 'danger';
  /** Undo, mostly. The toast closes when it is pressed. */
  action?: { label: string; onAction: () => void };
  requestId?: string | null;
}

const UNDO_MS = 8_000;
const READ_MS = 5_000;

export const toastQueue = new ToastQueue<ToastContent>({ maxVisibleToasts: 3 });

/** Shows a toast; returns a function that takes it away. Failures stay until they are closed. */
export function showToast(content: ToastContent): () => void {
  const timeout = content.action ? UNDO_MS : content.tone === 'danger' ? undefined : READ_MS;
  const key = toastQueue.add(content, { timeout });
  return () => toastQueue.close(key);
}
