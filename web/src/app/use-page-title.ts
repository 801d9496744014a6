import { useEffect } from 'react';
import { useTranslations } from '../i18n';

/** Sets the title of the browser tab while a page is shown. */
export function usePageTitle(title: string): void {
  const t = useTranslations('shell');
  const product = t('product');
  useEffect(() => {
    document.title = title === '' ? product : `${title} · ${product}`;
    return () => {
      document.title = product;
    };
  }, [title, product]);
}
