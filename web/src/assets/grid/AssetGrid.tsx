import { type CSSProperties, type RefObject, useEffect, useRef } from 'react';
import { DragPreview } from 'react-aria/useDrag';
import { useTranslations } from '../../i18n';
import { useAssetCommands } from '../actions/asset-commands';
import { useAssetFormats } from '../formats';
import type { Asset } from '../library/asset-types';
import { useLibrary } from '../library/use-library';
import { countChosen, isChosen } from '../selection/selection';
import { useSelectionState } from '../selection/selection-store';
import { AssetCard, type CardProps } from './AssetCard';
import { AssetRow, ListHeader } from './AssetRow';
import { type GridLayout, gridLayout, listLayout, type Range, rectOf } from './grid-layout';
import { useFastScroll } from './use-fast-scroll';
import { useFocusedCard } from './use-focused-card';
import { useGridDrag } from './use-grid-drag';
import { useGridKeys } from './use-grid-keys';
import { useGridPointer } from './use-grid-pointer';
import { useLoadedPages } from './use-loaded-pages';
import { useStable, useStableCallback } from './use-stable';
import { useVisibleRange } from './use-visible-range';
import { useWidth } from './use-width';
import styles from './AssetGrid.module.css';

export type View = 'grid' | 'list';

export interface AssetGridProps {
  readonly count: number;
  readonly view: View;
  readonly cardSize: number;
  readonly scroller: RefObject<HTMLElement | null>;
  onMenu: (at: { x: number; y: number }) => void;
}

const CAPTION = 52;
const ROW_HEIGHT = 44;
const PHONE = 560;

/** As many cards as there are assets, of which only those in view exist. */
export function AssetGrid({ count, view, cardSize, scroller, onMenu }: AssetGridProps) {
  const t = useTranslations('assets');
  const formats = useAssetFormats();
  const library = useLibrary();
  const commands = useAssetCommands();
  const { selection: store, reader, scope } = library;
  const { selection, focusedIndex, editingId, focusRequests } = useSelectionState(store);
  const grid = useRef<HTMLDivElement>(null);
  const width = useWidth(grid);
  const gap = width < PHONE - 24 ? 8 : 16;
  const layout = width === 0 ? null : layoutOf(view, { count, width, gap, cardSize });
  const { visible, reveal } = useVisibleRange({ grid, scroller, layout: useStable(layout), count });
  const isFast = useFastScroll(scroller);
  useLoadedPages(library, visible.range, isFast);
  const drag = useGridDrag(library);
  const canEdit = scope.can('assets:write');
  const pointer = useGridPointer({
    library,
    canEdit,
    onOpen: (_index, asset) => commands.open(asset.assetId),
    onRename: (asset) => store.update({ editingId: asset.assetId }),
    onMenu,
  });
  const focusCard = useFocusedCard(grid, focusedIndex, reveal);
  const answeredRequests = useRef(focusRequests);
  useEffect(() => {
    if (answeredRequests.current === focusRequests) return;
    answeredRequests.current = focusRequests;
    // Whatever was open gives the focus back itself, a moment earlier.
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

  const Card = view === 'grid' ? AssetCard : AssetRow;
  const cards = layout && placed(visible.range, focusedIndex, count);
  return (
    <div
      ref={grid}
      role="grid"
      aria-label={t('grid.label')}
      aria-multiselectable
      aria-rowcount={view === 'list' ? count + 1 : count}
      className={styles.grid}
      data-view={view}
      data-dragging={drag.isDragging || undefined}
      data-editable={canEdit || undefined}
      onKeyDown={onKeyDown}
      {...pointer.handlers}
      {...drag.handlers}
    >
      {view === 'list' && <ListHeader />}
      <div role="rowgroup" className={styles.cards} style={heightOf(layout)}>
        {cards?.map((index) => {
          const asset = reader.assetAt(index);
          const { x, y } = rectOf(layout!, index, gap);
          const props: CardProps = {
            index,
            asset,
            basePath: scope.basePath,
            x,
            y: y + visible.shift,
            width: layout!.cardWidth,
            height: layout!.cardHeight,
            size: layout!.cardWidth * devicePixelRatio > 240 ? 'small' : 'thumb',
            isPictureLater: isFast,
            isChosen: isChosen(selection, index, asset?.assetId),
            isTabStop: index === focusedIndex,
            isEditing: asset !== undefined && asset.assetId === editingId,
            isDraggable: canEdit && HAS_MOUSE,
            onSaveTitle: saveTitle,
            onStopEditing: stopEditing,
          };
          return <Card key={index} {...props} />;
        })}
      </div>
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

/** A long press on a touch screen chooses; it must not begin a drag. */
const HAS_MOUSE = matchMedia('(any-pointer: fine)').matches;

function layoutOf(
  view: View,
  { count, width, gap, cardSize }: { count: number; width: number; gap: number; cardSize: number },
): GridLayout {
  if (view === 'list') return listLayout(count, width, ROW_HEIGHT);
  const minColumns = width < PHONE ? 2 : 1;
  return gridLayout({ count, width, minCardWidth: cardSize, gap, caption: CAPTION, minColumns });
}

/** The focused card exists wherever it lies, or the focus would be lost. */
function placed({ start, end }: Range, focusedIndex: number, count: number): number[] {
  const indexes = Array.from({ length: end - start }, (_, step) => start + step);
  if (focusedIndex < count && (focusedIndex < start || focusedIndex >= end)) indexes.push(focusedIndex);
  return indexes;
}

function heightOf(layout: GridLayout | null): CSSProperties {
  return { height: layout?.scrollHeight ?? 0 };
}
