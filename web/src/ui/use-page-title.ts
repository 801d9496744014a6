import { useEffect, useState } from 'react';
import { useTranslations } from '../i18n';

/** What is shown, the newest last: a page that explains a problem appears within the page of a library. */
const shown: { title: string }[] = [];

function show(): void {
  const newest = shown.at(-1);
  if (newest) document.title = newest.title;
}

/** The title of the browser tab while a page is shown: what it shows, the most specific first. */
export function usePageTitle(...parts: (string | undefined)[]): void {
  const product = useTranslations('shell')('product');
  const title = [...parts, product].filter(Boolean).join(' · ');
  const [page] = useState({ title });
  useEffect(() => {
    shown.push(page);
    return () => {
      shown.splice(shown.indexOf(page), 1);
      show();
    };
  }, [page]);
  useEffect(() => {
    page.title = title;
    show();
  }, [page, title]);
}
