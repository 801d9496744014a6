import { useCallback } from 'react';
import { useProblemText } from './ErrorState';
import { showToast } from './toasts';

/** Shows that something failed: `problemToast(error, t('renameFailed'))`. */
export function useProblemToast(): (error: unknown, title?: string) => void {
  const textOf = useProblemText();
  return useCallback(
    (error, title) => {
      const problem = textOf(error);
      showToast({
        tone: 'danger',
        title: title ?? problem.title,
        description: [title ? problem.title : '', problem.detail]
          .filter(Boolean)
          .join('. ')
          .replace('..', '.'),
        requestId: problem.requestId,
      });
    },
    [textOf],
  );
}
