import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { DragPreview } from 'react-aria/useDrag';
import { useTranslations } from '../../i18n';
import { useAssetCommands } from '../actions/asset-commands';
import { useAssetFormats } from '../formats';
import type { Asset } from '../library/asset-types';
import { useLibrary } from '../library/use-library';
import { chooseAll, chooseOnly, countChosen, extendTo, isChosen, toggle } from '../selection/selection';
import { useSelectionState } from '../selection/selection-store';
import { AssetCard, type CardProps } from './AssetCard';
import { AssetRow, ListHeader } from './AssetRow';
import { commandOf, type GridCommand } from './grid-keys';
import { type GridLayout, gridLayout, listLayout, type Range, rectOf, stepFrom } from './grid-layout';
import { useGridDrag } from './use-grid-drag';
import { useGridPointer } from './use-grid-pointer';
import { useLoadedPages } from './use-loaded-pages';
import { useVisibleRange } from './use-visible-range';
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
  useLoadedPages(library, visible.range);
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

  const run = (command: GridCommand): void => {
    const asset = reader.assetAt(focusedIndex);
    switch (command.do) {
      case 'step': {
        const viewport = scroller.current?.clientHeight ?? 0;
        const next = layout ? stepFrom(layout, count, focusedIndex, command.step, viewport) : focusedIndex;
        focusCard(next);
        return moveTo(next, command);
      }
      case 'open':
        if (asset) commands.open(asset.assetId);
        return;
      case 'toggle':
        if (asset) store.choose(toggle(selection, focusedIndex, asset.assetId));
        return;
      case 'all':
        return store.choose(chooseAll(count, reader.idReader()));
      case 'clear':
        return store.clear();
      case 'rename':
        if (asset && canEdit) store.update({ editingId: asset.assetId });
        return;
      case 'drag': {
        const card = cardAt(grid.current, focusedIndex);
        if (card && canEdit) drag.startByKeyboard(card, focusedIndex);
        return;
      }
      case 'trash':
      case 'move':
      case 'details':
        if (asset && countChosen(selection) === 0) store.choose(chooseOnly(focusedIndex, asset.assetId));
        return commands.run(command.do);
    }
  };
  const moveTo = (
    next: number,
    { isExtending, isFocusOnly }: { isExtending: boolean; isFocusOnly: boolean },
  ) => {
    const id = reader.assetAt(next)?.assetId;
    if (isExtending) {
      const from = selection.anchor === null ? { ...selection, anchor: focusedIndex } : selection;
      store.choose(extendTo(from, next, reader.idReader()), next);
    } else if (isFocusOnly || id === undefined) store.update({ focusedIndex: next });
    else store.choose(chooseOnly(next, id), next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset['index'] === undefined) return;
    const command = commandOf(event);
    if (!command || (command.do === 'clear' && countChosen(selection) === 0)) return;
    event.preventDefault();
    event.stopPropagation();
    run(command);
  };
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

function cardAt(grid: HTMLElement | null, index: number): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null;
}

function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!element.current) return;
    setWidth(element.current.clientWidth);
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** Gives the focus to a card once it has been drawn. */
function useFocusedCard(
  grid: RefObject<HTMLElement | null>,
  focusedIndex: number,
  reveal: (index: number) => void,
): (index: number) => void {
  const pending = useRef<number | null>(null);
  const [, draw] = useState(0);
  useEffect(() => {
    if (pending.current === null) return;
    const card = cardAt(grid.current, pending.current);
    if (!card) return;
    pending.current = null;
    card.focus({ preventScroll: true });
  });
  return (index) => {
    pending.current = index;
    reveal(index);
    if (index === focusedIndex) draw((last) => last + 1);
  };
}

/** The same object as long as it says the same. */
function useStable<T extends object | null>(value: T): T {
  const [kept, keep] = useState(value);
  const isSame = JSON.stringify(kept) === JSON.stringify(value);
  useLayoutEffect(() => {
    if (!isSame) keep(value);
  }, [isSame, value]);
  return isSame ? kept : value;
}

function useStableCallback<Args extends unknown[]>(
  callback: (...args: Args) => void,
): (...args: Args) => void {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  const [stable] = useState(
    () =>
      (...args: Args) =>
        latest.current(...args),
  );
  return stable;
}
