import { useSyncExternalStore } from 'react';
import { countChosen, EMPTY, type Selection } from './selection';

/** The selection and the focused card. Kept outside React state, so that selecting only renders cards. */
export interface SelectionState {
  readonly selection: Selection;
  readonly focusedIndex: number;
  /** On a touch screen: taps select assets instead of opening them, until none is selected any more. */
  readonly isSelecting: boolean;
  /** The asset whose title is being edited in the grid. */
  readonly editingId: string | null;
  /** Incremented to move the focus back to the grid. */
  readonly focusRequests: number;
}

const START: SelectionState = {
  selection: EMPTY,
  focusedIndex: 0,
  isSelecting: false,
  editingId: null,
  focusRequests: 0,
};

export class SelectionStore {
  private state = START;
  private readonly listeners = new Set<() => void>();

  readonly get = (): SelectionState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  update(change: Partial<SelectionState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }

  choose(selection: Selection, focusedIndex = this.state.focusedIndex): void {
    const isSelecting = this.state.isSelecting && countChosen(selection) > 0;
    this.update({ selection, focusedIndex, isSelecting });
  }

  startSelecting(): void {
    this.update({ isSelecting: true });
  }

  clear(): void {
    const { selection, isSelecting } = this.state;
    if (selection !== EMPTY || isSelecting) this.update({ selection: EMPTY, isSelecting: false });
  }

  focusGrid(): void {
    this.update({ focusRequests: this.state.focusRequests + 1 });
  }

  reset(): void {
    this.update({ ...START, focusRequests: this.state.focusRequests });
  }
}

export function useSelectionState(store: SelectionStore): SelectionState {
  return useSyncExternalStore(store.subscribe, store.get);
}
