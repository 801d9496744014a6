import { useIsFetching } from '@tanstack/react-query';
import { CaptionsOff } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyWithTexts } from '../i18n/lazy-with-texts';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import styles from './AltTextLine.module.css';
import { useAssetFormats } from '../library/formats';
import { lacksAltText } from '../library/asset-types';
import { listingKey } from '../library/library-queries';
import { useAssetCount } from '../library/use-asset-count';
import { useLibrary } from '../library/use-library';

const AltTextDialog = lazyWithTexts(() => import('./details/AltTextDialog'));

/** How many of the listed assets have no alt text, once for all of them, as far as they are loaded. */
export function AltTextLine() {
  const t = useTranslations('assets.altText');
  const formats = useAssetFormats();
  const { first, listing, reader, scope, setSearch } = useLibrary();
  const { count, isExact } = useAssetCount();
  const [isFilling, setFilling] = useState(false);
  // Counts again when a page has been loaded.
  useIsFetching({ queryKey: listingKey(scope.basePath, listing) });
  const missing = reader.countLoaded(lacksAltText);
  const isAll = isExact && reader.countLoaded(() => true) >= count;
  return (
    <>
      {first && missing > 0 && scope.can('assets:write') && (
        <p className={styles.line}>
          <CaptionsOff size={16} aria-hidden />
          {t(isAll ? 'missing' : 'atLeast', { count: missing, number: formats.number(missing) })}
          {!listing.missingAltText && (
            <Button variant="ghost" onPress={() => setSearch({ missingAltText: true })}>
              {t('show')}
            </Button>
          )}
          <Button variant="ghost" onPress={() => setFilling(true)}>
            {t('add')}
          </Button>
        </p>
      )}
      {isFilling && (
        <Suspense>
          <AltTextDialog onClose={() => setFilling(false)} />
        </Suspense>
      )}
    </>
  );
}
