import { type RefObject, Suspense } from 'react';
import { lazyWithoutTexts, lazyWithTexts } from '../i18n/lazy-with-texts';
import { assetsBelow } from '../library/folder-tree';
import { FolderTiles } from '../folders/FolderTiles';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { ErrorState } from '../ui/ErrorState';
import { AltTextLine } from './AltTextLine';
import { useAssetFormats } from '../library/formats';
import { AssetGrid, type View } from './grid/AssetGrid';
import { coversBelow, isNarrowed } from '../library/library-search';
import { RECENT_LIMIT } from '../library/recent';
import { useAssetCount } from '../library/use-asset-count';
import { useLibrary } from '../library/use-library';
import { SelectButton } from './selection/SelectButton';
import styles from './LibraryContent.module.css';

const LibraryEmpty = lazyWithoutTexts(() => import('./LibraryEmpty'));
const FilterChips = lazyWithTexts(() => import('./filters/FilterChips'));

export interface LibraryContentProps {
  readonly view: View;
  readonly cardSize: number;
  readonly scroller: RefObject<HTMLElement | null>;
  onMenu: (at: { x: number; y: number }) => void;
}

export function LibraryContent({ view, cardSize, scroller, onMenu }: LibraryContentProps) {
  const library = useLibrary();
  const { first, error, retry, listing, isChanging, tree } = library;
  const { count, isExact } = useAssetCount();
  const t = useTranslations('assets');
  if (error && !first) return <ErrorState error={error} title={t('error')} onRetry={retry} />;
  const isEmpty = first !== undefined && count === 0;
  // The tree is often loaded first, so the cards are in their final position from the start.
  const here = (tree ? tree.children.get(listing.folder ?? null) : first?.folders) ?? [];
  const folders = coversBelow(listing) ? [] : here;
  return (
    <div className={styles.content} data-changing={isChanging || undefined}>
      {isNarrowed(library.search) && (
        <div className={styles.chips}>
          <Suspense>
            <FilterChips />
          </Suspense>
        </div>
      )}
      <FolderTiles key={listing.folder ?? ''} folders={folders} />
      <CountLine count={count} isExact={isExact} />
      {isEmpty ? (
        <Suspense>
          <LibraryEmpty hasFolders={here.length > 0} />
        </Suspense>
      ) : (
        <AssetGrid count={count} view={view} cardSize={cardSize} scroller={scroller} onMenu={onMenu} />
      )}
    </div>
  );
}

function CountLine({ count, isExact }: { count: number; isExact: boolean }) {
  const t = useTranslations('assets');
  const formats = useAssetFormats();
  const { first, listing, setSearch, tree, recent } = useLibrary();
  const place = listing.folder ? 'folder' : 'library';
  const below = tree && !coversBelow(listing) ? assetsBelow(tree, listing.folder ?? null) : 0;
  const text = isNarrowed(listing) ? 'found' : listing.below ? 'everything' : 'all';
  const isMore = recent !== undefined && first !== undefined && first.total > RECENT_LIMIT;
  const counts = [
    isMore &&
      t('count.latest', {
        number: formats.number(RECENT_LIMIT),
        total: formats.number(first.total) + (first.totalIsExact ? '' : '+'),
        kind: isNarrowed(listing) ? 'found' : 'all',
      }),
    first &&
      count > 0 &&
      !isMore &&
      t(`count.${text}`, { count, number: formats.number(count) + (isExact ? '' : '+'), place }),
    first && below > 0 && t('count.below', { count: below, number: formats.number(below), place }),
  ];
  return (
    <div className={styles.line}>
      <div className={styles.counts}>
        <p className={styles.count} role="status">
          {counts.filter(Boolean).join(' · ')}
        </p>
        {first && (below > 0 || text === 'everything') && (
          <Button
            variant="ghost"
            className={styles.below}
            onPress={() => setSearch({ below: listing.below ? undefined : true })}
          >
            {t(listing.below ? 'count.showFolders' : 'count.showAll')}
          </Button>
        )}
      </div>
      {first && count > 0 && <SelectButton className={styles.select} />}
      <AltTextLine />
    </div>
  );
}
