import { Suspense, useRef, useState } from 'react';
import { lazyWithTexts, withTexts } from '../i18n/lazy-with-texts';
import { DrawerContent, useDrawer } from '../shell/slots';
import { useTranslations } from '../i18n';
import { PageDropZone } from '../upload/PageDropZone';
import { useAssetCommands } from './actions/asset-commands';
import { useUndoKey } from '../ui/undo';
import { useDetailsKey } from './actions/use-details-key';
import { LibrarySearchField } from './filters/LibrarySearchField';
import type { View } from './grid/AssetGrid';
import { LibraryContent } from './LibraryContent';
import { LibrarySidebar } from './LibrarySidebar';
import { CARD_SIZES, LibraryToolbar } from './LibraryToolbar';
import { useLibrary } from '../library/use-library';
import { usePreference } from './preferences';
import { countChosen } from '../library/selection';
import { useSelectionState } from '../library/selection-store';
import { useLibraryTitle } from './use-library-title';
import { useIsNarrow, useIsTouch } from '../ui/use-media-query';
import { useScrollMemory } from './use-scroll-memory';
import { missingFolder } from '../missing/missing-problem';
import styles from './LibraryLayout.module.css';

const AssetMenu = lazyWithTexts(() => import('./selection/AssetMenu'));
const SelectionBar = lazyWithTexts(() => import('./selection/SelectionBar'));
const DetailsPanel = lazyWithTexts(() => import('./details/DetailsPanel'));
const DetailsSheet = lazyWithTexts(() => import('./details/DetailsSheet'));
const LinkedDetails = lazyWithTexts(() => import('./details/LinkedDetails'));
const loadLightbox = () => import('./lightbox/AssetLightbox');
const AssetLightbox = lazyWithTexts(loadLightbox);
const preloadLightbox = () => void withTexts(loadLightbox)().catch(() => undefined);
const MissingFolder = lazyWithTexts(() => import('../missing/MissingFolder'));

export function LibraryLayout() {
  const t = useTranslations('assets');
  const { search, listing, tree, selection, error } = useLibrary();
  const missing = missingFolder(error);
  const { isDetailsOpen, setDetailsOpen } = useAssetCommands();
  const isNarrow = useIsNarrow();
  const drawer = useDrawer();
  const [view, setView] = usePreference<string>('view', 'grid');
  const [cardSize, setCardSize] = usePreference<number>('cardSize', CARD_SIZES.normal);
  const [menuAt, setMenuAt] = useState<{ x: number; y: number } | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  useScrollMemory(scroller);
  useUndoKey();
  useLibraryTitle();
  useDetailsKey(isDetailsOpen, setDetailsOpen);
  const isTouch = useIsTouch();
  const setSheetOpen = (isOpen: boolean) => {
    setDetailsOpen(isOpen);
    if (!isOpen && isTouch && !selection.get().isSelecting) selection.clear();
  };
  const folderName = (listing.folder && tree?.byId.get(listing.folder)?.name) || t('top');
  const shownView: View = view === 'list' ? 'list' : 'grid';

  return (
    <div className={styles.page}>
      {!missing && <LibrarySearchField />}
      {isNarrow ? (
        <DrawerContent>
          <LibrarySidebar onNavigate={() => drawer.setOpen(false)} />
        </DrawerContent>
      ) : (
        <aside className={styles.sidebar} data-sidebar>
          <LibrarySidebar />
        </aside>
      )}
      {missing ? (
        <div className={styles.main}>
          <Suspense>
            <MissingFolder {...missing} />
          </Suspense>
        </div>
      ) : (
        <PageDropZone folderId={listing.folder ?? null} folderName={folderName} className={styles.main}>
          <LibraryToolbar
            view={shownView}
            cardSize={cardSize}
            onViewChange={setView}
            onCardSizeChange={setCardSize}
          />
          <div
            ref={scroller}
            className={styles.scroller}
            tabIndex={-1}
            data-main-content
            onPointerEnter={preloadLightbox}
            onFocus={preloadLightbox}
            onClick={(event) => {
              const isBeside = !(event.target as Element).closest('[data-index], a, button, li');
              if (isBeside && !selection.get().isSelecting) selection.clear();
            }}
          >
            <LibraryContent view={shownView} cardSize={cardSize} scroller={scroller} onMenu={setMenuAt} />
          </div>
          <SelectionBarPlace />
        </PageDropZone>
      )}
      {isDetailsOpen && !isNarrow && !missing && (
        <aside className={styles.details} data-details aria-label={t('toolbar.details')}>
          <Suspense>
            <DetailsPanel />
          </Suspense>
        </aside>
      )}
      {isNarrow && (
        <Suspense>
          <DetailsSheet isOpen={isDetailsOpen} onOpenChange={setSheetOpen} />
        </Suspense>
      )}
      <Suspense>{menuAt && <AssetMenu at={menuAt} onClose={() => setMenuAt(null)} />}</Suspense>
      <Suspense>{search.details && <LinkedDetails key={search.details} assetId={search.details} />}</Suspense>
      {search.asset && (
        <Suspense>
          <AssetLightbox assetId={search.asset} />
        </Suspense>
      )}
    </div>
  );
}

function SelectionBarPlace() {
  const { selection, isSelecting } = useSelectionState(useLibrary().selection);
  return <Suspense>{(isSelecting || countChosen(selection) > 0) && <SelectionBar />}</Suspense>;
}
