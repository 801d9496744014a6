import { type CSSProperties, type RefObject, Suspense, useEffect, useRef } from 'react';
import { lazyWithTexts } from '../../i18n/lazy-with-texts';
import { DragPreview } from 'react-aria/useDrag';
import { useTranslations } from '../../i18n';
import { useAssetCommands } from '../actions/asset-commands';
import { useAssetFormats } from '../../library/formats';
import type { Asset } from '../../library/asset-types';
import { useLibrary } from '../../library/use-library';
import { countChosen } from '../../library/selection';
import { useSelectionState } from '../../library/selection-store';
import { useFolderCommands } from '../../folders/folder-commands';
import { coversBelow } from '../../library/library-search';
import { GridCards, type View } from './GridCards';
import { type GridLayout, gridLayout, type GridOptions, listLayout } from './grid-layout';
import { useFocusedCard, useKeptFocus } from './use-focused-card';
import { useGridDrag } from './use-grid-drag';
import { useGridKeys } from './use-grid-keys';
import { useGridPointer } from './use-grid-pointer';
import { useReveal } from './use-reveal';
import { useStable, useStableCallback } from './use-stable';
import { useWidth } from '../../ui/use-width';
import styles from './AssetGrid.module.css';

export type { View };

export interface AssetGridProps {
  readonly count: number;
  readonly view: View;
  readonly cardSize: number;
  readonly scroller: RefObject<HTMLElement | null>;
  onMenu: (at: { x: number; y: number }) => void;
}

const ListHeader = lazyWithTexts(() => import('./ListHeader'));

const CAPTION = 52;
const FOLDER_LINE = 20;
const DAY_HEIGHT = 44;
const ROW_HEIGHT = 44;
const PHONE = 560;

/** A virtualized grid: only the cards in view exist. */
export function AssetGrid({ count, view, cardSize, scroller, onMenu }: AssetGridProps) {
  const t = useTranslations('assets');
  const formats = useAssetFormats();
  const library = useLibrary();
  const commands = useAssetCommands();
  const folders = useFolderCommands();
  const { selection: store, scope, listing, recent } = library;
  const { focusRequests, focusedIndex, isSelecting } = useSelectionState(store);
  const grid = useRef<HTMLDivElement>(null);
  const width = useWidth(grid);
  const gap = width < PHONE - 24 ? 8 : 16;
  const caption = CAPTION + (coversBelow(listing) ? FOLDER_LINE : 0);
  const starts = listing.view === 'recent' ? (recent?.days.map(({ start }) => start) ?? [0]) : undefined;
  const sections = starts && { headingHeight: DAY_HEIGHT, starts };
  const layout = useStable(
    width === 0 ? null : layoutOf(view, { count, width, gap, minCardWidth: cardSize, caption, sections }),
  );
  const headings = sections?.starts.length ?? 0;
  const reveal = useReveal({ grid, scroller, layout });
  const drag = useGridDrag(library, commands.moveChosen);
  const canEdit = scope.can('assets:write');
  const pointer = useGridPointer({
    library,
    canEdit,
    onOpen: (_index, asset) => commands.open(asset.assetId),
    onRename: (asset) => store.update({ editingId: asset.assetId }),
    onFolder: folders.open,
    onMenu,
  });
  const { focusCard, pendingFocus } = useFocusedCard(store, reveal);
  const keptFocus = useKeptFocus({ store, focusedIndex, count, scroller, focusCard });
  const handledRequests = useRef(focusRequests);
  useEffect(() => {
    if (handledRequests.current === focusRequests) return;
    handledRequests.current = focusRequests;
    // A closing dialog or menu restores the focus itself, a moment earlier.
    setTimeout(() => focusCard(store.get().focusedIndex), 50);
  });

  const onKeyDown = useGridKeys({
    library,
    commands,
    grid,
    scroller,
    layout,
    count,
    canEdit,
    drag,
    focusCard,
  });
  const saveTitle = useStableCallback((asset: Asset, title: string) => {
    stopEditing();
    void commands.edit(asset, { title });
  });
  const stopEditing = useStableCallback(() => {
    store.update({ editingId: null });
    focusCard(store.get().focusedIndex);
  });

  return (
    <div
      ref={grid}
      role="grid"
      aria-label={t('grid.label')}
      aria-multiselectable
      aria-rowcount={count + headings + (view === 'list' ? 1 : 0)}
      className={styles.grid}
      style={{ '--caption': `${caption}px` } as CSSProperties}
      data-view={view}
      data-selecting={isSelecting || undefined}
      data-dragging={drag.isDragging || undefined}
      data-editable={canEdit || undefined}
      onKeyDown={onKeyDown}
      {...keptFocus}
      {...pointer.handlers}
      {...drag.handlers}
    >
      <Suspense>{view === 'list' && <ListHeader />}</Suspense>
      <GridCards
        grid={grid}
        scroller={scroller}
        layout={layout}
        gap={gap}
        count={count}
        view={view}
        canEdit={canEdit}
        pendingFocus={pendingFocus}
        onSaveTitle={saveTitle}
        onStopEditing={stopEditing}
      />
      <DragPreview ref={drag.preview}>
        {() => ({
          element: (
            <div className={styles.dragged}>
              {t('grid.dragged', {
                count: countChosen(store.get().selection),
                number: formats.number(countChosen(store.get().selection)),
              })}
            </div>
          ),
          x: -8,
          y: -8,
        })}
      </DragPreview>
    </div>
  );
}

function layoutOf(view: View, options: Omit<GridOptions, 'minColumns'>): GridLayout {
  const { count, width, sections } = options;
  if (view === 'list') return listLayout(count, width, ROW_HEIGHT, sections);
  return gridLayout({ ...options, minColumns: width < PHONE ? 2 : 1 });
}
