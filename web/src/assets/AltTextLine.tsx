import { CaptionsOff } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import styles from './AltTextLine.module.css';
import { useAssetFormats } from './formats';
import { PAGE_SIZE } from './library/asset-pages';
import { lacksAltText } from './library/asset-types';
import { useAssetCount } from './library/use-asset-count';
import { useLibrary } from './library/use-library';

const AltTextDialog = lazy(() => import('./details/AltTextDialog'));

/** How many of the listed assets have no alt text, once for all of them; of long lists, only the first page is counted. */
export function AltTextLine() {
  const t = useTranslations('assets.altText');
  const formats = useAssetFormats();
  const { first, scope } = useLibrary();
  const { count } = useAssetCount();
  const [isFilling, setFilling] = useState(false);
  const missing = first?.assets.filter((asset) => asset && lacksAltText(asset)).length ?? 0;
  const number = formats.number(missing) + (count > PAGE_SIZE ? '+' : '');
  return (
    <>
      {missing > 0 && scope.can('assets:write') && (
        <p className={styles.line}>
          <CaptionsOff size={16} aria-hidden />
          {t('missing', { count: missing, number })}
          <Button variant="ghost" className={styles.add} onPress={() => setFilling(true)}>
            {t('add')}
          </Button>
        </p>
      )}
      {isFilling && (
        <Suspense>
          <AltTextDialog count={count} onClose={() => setFilling(false)} />
        </Suspense>
      )}
    </>
  );
}
