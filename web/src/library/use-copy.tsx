import { type ReactNode, Suspense, useCallback, useState } from 'react';
import { copyText } from '../browser/clipboard';
import { lazyWithTexts } from '../i18n/lazy-with-texts';
import { showToast } from '../ui/toasts';

const CopyDialog = lazyWithTexts(() => import('./CopyDialog'));

type Copy = (text: string, done: string) => Promise<void>;

/** Copies a text and says so, or shows it to be copied by hand. The second element has to be rendered. */
export function useCopy(): [Copy, ReactNode] {
  const [refused, setRefused] = useState<string | null>(null);
  const copy = useCallback<Copy>(async (text, done) => {
    if (await copyText(text)) showToast({ title: done });
    else setRefused(text);
  }, []);
  return [
    copy,
    refused !== null && (
      <Suspense>
        <CopyDialog text={refused} onClose={() => setRefused(null)} />
      </Suspense>
    ),
  ];
}
