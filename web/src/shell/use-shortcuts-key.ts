import { useEffect, useState } from 'react';
import { isShortcut } from '../ui/shortcuts';

/** `?` opens the list of shortcuts, except in text fields. */
export function useShortcutsKey(): { isOpen: boolean; setOpen: (isOpen: boolean) => void } {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (!isShortcut(event, 'help') || target.closest('input, textarea, [contenteditable]')) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  return { isOpen, setOpen };
}
