const ARROWS = ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown'] as const;

interface Shortcut {
  readonly group: 'anywhere' | 'choosing' | 'acting';
  /** As in `KeyboardEvent.key`, in lower case. Any of them. */
  readonly keys: readonly string[];
  /** On Apple's keyboards, Command instead of Ctrl. */
  readonly held?: 'ctrl' | 'shift' | 'alt';
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** Every key of the pages. Handlers, menus and the help read it here, so that none of them can miss one. */
export const SHORTCUTS = {
  search: { group: 'anywhere', keys: ['/'] },
  help: { group: 'anywhere', keys: ['?'] },
  escape: { group: 'anywhere', keys: ['Escape'] },
  walk: { group: 'choosing', keys: ARROWS },
  jump: { group: 'choosing', keys: ['Home', 'End', 'PageUp', 'PageDown'] },
  toggle: { group: 'choosing', keys: [' '] },
  extend: { group: 'choosing', keys: ARROWS, held: 'shift' },
  all: { group: 'choosing', keys: ['a'], held: 'ctrl' },
  open: { group: 'acting', keys: ['Enter'] },
  details: { group: 'acting', keys: ['i'] },
  rename: { group: 'acting', keys: ['F2'] },
  edit: { group: 'acting', keys: ['e'] },
  move: { group: 'acting', keys: ['m'] },
  download: { group: 'acting', keys: ['d'] },
  copy: { group: 'acting', keys: ['c'], held: 'ctrl' },
  // The first one is shown in menus; Apple's keyboards only have the other.
  trash: { group: 'acting', keys: isApple ? ['Backspace', 'Delete'] : ['Delete', 'Backspace'] },
  undo: { group: 'acting', keys: ['z'], held: 'ctrl' },
  menu: { group: 'acting', keys: ['F10'], held: 'shift' },
  drag: { group: 'acting', keys: ['Enter'], held: 'alt' },
} as const satisfies Record<string, Shortcut>;

export type ShortcutName = keyof typeof SHORTCUTS;
type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

export function isShortcut(event: Keys, name: ShortcutName): boolean {
  const { keys, held }: Shortcut = SHORTCUTS[name];
  if ((event.ctrlKey || event.metaKey) !== (held === 'ctrl') || event.altKey !== (held === 'alt'))
    return false;
  // Shift is part of some characters, and reverses what Ctrl does.
  if (held === 'shift' ? !event.shiftKey : held === 'ctrl' && event.shiftKey) return false;
  return keys.includes(event.key.length === 1 ? event.key.toLowerCase() : event.key);
}

const LABELS: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  Backspace: '⌫',
  Escape: 'Esc',
  PageDown: 'Page Down',
  PageUp: 'Page Up',
  alt: isApple ? '⌥' : 'Alt',
  ctrl: isApple ? '⌘' : 'Ctrl',
  shift: 'Shift',
};

/** What the keyboard shows on each of the keys. */
export function keyLabels(name: ShortcutName): string[] {
  const { keys, held }: Shortcut = SHORTCUTS[name];
  return [...(held ? [held] : []), ...keys].map(
    (key) => LABELS[key] ?? (key.length === 1 ? key.toUpperCase() : key),
  );
}

/** The first of its keys, for a menu or a tooltip. */
export function shortcutHint(name: ShortcutName): string {
  const { held }: Shortcut = SHORTCUTS[name];
  return keyLabels(name)
    .slice(0, held ? 2 : 1)
    .join('+');
}
