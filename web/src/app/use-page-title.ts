import { useEffect } from 'react';
import { useTranslations } from '../i18n';

/** The title of the browser tab while a page is shown: what it shows, the most specific first. */
export function usePageTitle(...parts: (string | undefined)[]): void {
  const product = useTranslations('shell')('product');
  const title = [...parts, product].filter(Boolean).join(' · ');
  useEffect(() => {
    const before = document.title;
    document.title = title;
    return () => {
      document.title = before;
    };
  }, [title]);
}
