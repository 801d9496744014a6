import { ToastQueue } from 'react-stately/useToastState';
import type { ToastContent } from './toasts';

export const toastQueue = new ToastQueue<ToastContent>({ maxVisibleToasts: 3 });
