import type { KeyboardEvent, RefObject } from 'react';
import type { AssetCommands } from '../actions/asset-commands';
import type { Library } from '../../library/use-library';
import { chooseAll, chooseOnly, countChosen, extendTo, toggle } from '../../library/selection';
import { useSelectionState } from '../../library/selection-store';
import { commandOf, type GridCommand } from './grid-keys';
import { type GridLayout, stepFrom } from './grid-layout';
import { cardAt } from './use-focused-card';
import type { GridDrag } from './use-grid-drag';

export interface GridKeysOptions {
  readonly library: Library;
  readonly commands: AssetCommands;
  readonly grid: RefObject<HTMLElement | null>;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly layout: GridLayout | null;
  readonly count: number;
  readonly canEdit: boolean;
  readonly drag: GridDrag;
  focusCard: (index: number) => void;
}

/** Handles the keyboard on a card. */
export function useGridKeys(options: GridKeysOptions): (event: KeyboardEvent) => void {
  const { library, commands, grid, scroller, layout, count, canEdit, drag, focusCard } = options;
  const { selection: store, reader } = library;
  const { selection, focusedIndex } = useSelectionState(store);

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
      case 'escape':
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
      case 'edit':
      case 'move':
      case 'download':
      case 'copy':
      case 'details':
        if (asset && countChosen(selection) === 0) store.choose(chooseOnly(focusedIndex, asset.assetId));
        return commands.run(command.do === 'copy' ? 'copyLink' : command.do);
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
  return (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset['index'] === undefined) return;
    const command = commandOf(event);
    if (!command || (command.do === 'escape' && countChosen(selection) === 0)) return;
    event.preventDefault();
    event.stopPropagation();
    run(command);
  };
}
