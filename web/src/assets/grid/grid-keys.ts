import type { KeyboardEvent } from 'react';
import { isShortcut, type SHORTCUTS } from '../../ui/shortcuts';
import type { Step } from './grid-layout';

type StepKey = (typeof SHORTCUTS)['walk' | 'jump']['keys'][number];

const STEPS: Readonly<Record<StepKey, Step>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'home',
  End: 'end',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
};

const COMMANDS = [
  'open',
  'toggle',
  'all',
  'escape',
  'rename',
  'trash',
  'drag',
  'edit',
  'move',
  'download',
  'copy',
  'details',
] as const;

export type GridCommand =
  | { readonly do: 'step'; readonly step: Step; readonly isExtending: boolean; readonly isFocusOnly: boolean }
  | { readonly do: (typeof COMMANDS)[number] };

/** What a key means in the grid. */
export function commandOf(event: KeyboardEvent): GridCommand | null {
  if (event.key in STEPS) {
    const step = STEPS[event.key as StepKey];
    return { do: 'step', step, isExtending: event.shiftKey, isFocusOnly: event.ctrlKey || event.metaKey };
  }
  const command = COMMANDS.find((name) => isShortcut(event, name));
  return command ? { do: command } : null;
}
