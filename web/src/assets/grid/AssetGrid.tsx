import { type RefObject, Suspense, useEffect, useRef } from 'react';
import { lazyWithTexts } from '../../i18n/lazy-with-texts';
import { DragPreview } from 'react-aria/useDrag';
import { useTranslations } from '../../i18n';
import { useAssetCommands } from '../actions/asset-commands';
import { useAssetFormats } from '../../library/formats';
import type { Asset } from '../../library/asset-types';
import { useLibrary } from '../../library/use-library';
import { countChosen } from '../../library/selection';
import { useSelectionState } from '../../library/selection-store';
import { GridCards, type View } from './GridCards';
import { type GridLayout, gridLayout, listLayout } from './grid-layout';
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
const ROW_HEIGHT = 44;
const PHONE = 560;

/** A virtualized grid: only the cards in view exist. */
export function AssetGrid({ count, view, cardSize, scroller, onMenu }: AssetGridProps) {
  const t = useTranslations('assets');
  const formats = useAssetFormats();
  const library = useLibrary();
  const commands = useAssetCommands();
  const { selection: store, scope } = library;
  const { focusRequests, focusedIndex, isSelecting } = useSelectionState(store);
  const grid = useRef<HTMLDivElement>(null);
  const width = useWidth(grid);
  const gap = width < PHONE - 24 ? 8 : 16;
  const layout = useStable(width === 0 ? null : layoutOf(view, { count, width, gap, cardSize }));
  const reveal = useReveal({ grid, scroller, layout });
  const drag = useGridDrag(library, commands.moveChosen);
  const canEdit = scope.can('assets:write');
  const pointer = useGridPointer({
    library,
    canEdit,
    onOpen: (_index, asset) => commands.open(asset.assetId),
    onRename: (asset) => store.update({ editingId: asset.assetId }),
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
      aria-rowcount={view === 'list' ? count + 1 : count}
      className={styles.grid}
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

function layoutOf(
  view: View,
  { count, width, gap, cardSize }: { count: number; width: number; gap: number; cardSize: number },
): GridLayout {
  if (view === 'list') return listLayout(count, width, ROW_HEIGHT);
  const minColumns = width < PHONE ? 2 : 1;
  return gridLayout({ count, width, minCardWidth: cardSize, gap, caption: CAPTION, minColumns });
}
