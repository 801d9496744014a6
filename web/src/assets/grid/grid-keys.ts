import type { KeyboardEvent } from 'react';
import type { Step } from './grid-layout';

const STEPS: Readonly<Record<string, Step>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'home',
  End: 'end',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
};

export type GridCommand =
  | { readonly do: 'step'; readonly step: Step; readonly isExtending: boolean; readonly isFocusOnly: boolean }
  | { readonly do: 'open' | 'toggle' | 'all' | 'clear' | 'rename' | 'trash' | 'drag' | 'move' | 'details' };

/** What a key means in the grid. */
export function commandOf(event: KeyboardEvent): GridCommand | null {
  const isCtrl = event.ctrlKey || event.metaKey;
  const step = STEPS[event.key];
  if (step) return { do: 'step', step, isExtending: event.shiftKey, isFocusOnly: isCtrl };
  if (isCtrl) return event.key.toLowerCase() === 'a' ? { do: 'all' } : null;
  if (event.altKey) return event.key === 'Enter' ? { do: 'drag' } : null;
  switch (event.key) {
    case 'Enter':
      return { do: 'open' };
    case ' ':
      return { do: 'toggle' };
    case 'Escape':
      return { do: 'clear' };
    case 'F2':
      return { do: 'rename' };
    case 'Delete':
    case 'Backspace':
      return { do: 'trash' };
    case 'm':
      return { do: 'move' };
    case 'i':
      return { do: 'details' };
    default:
      return null;
  }
}
