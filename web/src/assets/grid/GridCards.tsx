import { type RefObject, Suspense } from 'react';
import { lazyWithTexts } from '../../i18n/lazy-with-texts';
import type { Asset } from '../../library/asset-types';
import { useLibrary } from '../../library/use-library';
import { isChosen } from '../../library/selection';
import { useSelectionState } from '../../library/selection-store';
import { AssetCard } from './AssetCard';
import { DayHeading } from './DayHeading';
import { type GridLayout, type Range, rectOf, sectionOf, sectionsIn } from './grid-layout';
import { useFastScroll } from './use-fast-scroll';
import { type PendingFocus, usePendingFocus } from './use-focused-card';
import { useCardTexts } from './use-card-texts';
import { useLoadedPages } from './use-loaded-pages';
import { useVisibleRange } from './use-visible-range';
import styles from './AssetGrid.module.css';

const AssetRow = lazyWithTexts(() => import('./AssetRow'));

export type View = 'grid' | 'list';

export interface GridCardsProps {
  readonly grid: RefObject<HTMLElement | null>;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly layout: GridLayout | null;
  readonly gap: number;
  readonly count: number;
  readonly view: View;
  readonly canEdit: boolean;
  readonly pendingFocus: PendingFocus;
  onSaveTitle: (asset: Asset, title: string) => void;
  onStopEditing: () => void;
}

/** The cards in view. During scrolling, nothing else on the page is rendered. */
export function GridCards(props: GridCardsProps) {
  const { grid, scroller, layout, gap, count, view, canEdit } = props;
  const library = useLibrary();
  const { selection, focusedIndex, editingId } = useSelectionState(library.selection);
  const visible = useVisibleRange({ grid, scroller, layout });
  const isFast = useFastScroll(scroller);
  useLoadedPages(library, visible.range, isFast);
  usePendingFocus(grid, props.pendingFocus);
  const texts = useCardTexts();
  const assetAt = library.reader.assetReader();

  const isGrouped = library.listing.view === 'recent';
  const rowsAbove = (index: number) =>
    (view === 'list' ? 1 : 0) + (isGrouped && layout ? sectionOf(layout, index) + 1 : 0);
  const Card = view === 'grid' ? AssetCard : AssetRow;
  return (
    <div role="rowgroup" className={styles.cards} style={{ height: layout?.scrollHeight ?? 0 }}>
      {layout &&
        isGrouped &&
        sectionsIn(layout, visible.range).map(([{ start, end, top }, number]) => (
          <DayHeading
            key={start}
            day={library.recent?.days[number]?.day}
            count={end - start}
            row={start + rowsAbove(start)}
            top={top + visible.shift}
            height={layout.headingHeight}
          />
        ))}
      <Suspense>
        {layout &&
          placed(visible.range, focusedIndex, count).map((index) => {
            const asset = assetAt(index);
            const { x, y } = rectOf(layout, index, gap);
            return (
              <Card
                key={index}
                index={index}
                row={index + 1 + rowsAbove(index)}
                asset={asset}
                basePath={library.scope.basePath}
                x={x}
                y={y + visible.shift}
                width={layout.cardWidth}
                height={layout.cardHeight}
                size={layout.cardWidth * devicePixelRatio > 240 ? 'small' : 'thumb'}
                texts={texts}
                isPictureLater={isFast}
                isChosen={isChosen(selection, index, asset?.assetId)}
                isTabStop={index === focusedIndex}
                isEditing={asset !== undefined && asset.assetId === editingId}
                isDraggable={canEdit && HAS_MOUSE}
                onSaveTitle={props.onSaveTitle}
                onStopEditing={props.onStopEditing}
              />
            );
          })}
      </Suspense>
    </div>
  );
}

/** A long press on a touch screen selects; it must not start a drag. */
const HAS_MOUSE = matchMedia('(any-pointer: fine)').matches;

/** The focused card is rendered even outside the view, or the focus would be lost. */
function placed({ start, end }: Range, focusedIndex: number, count: number): number[] {
  const indexes = Array.from({ length: end - start }, (_, step) => start + step);
  if (focusedIndex < count && (focusedIndex < start || focusedIndex >= end)) indexes.push(focusedIndex);
  return indexes;
}
