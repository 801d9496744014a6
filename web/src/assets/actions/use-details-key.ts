import { useEffect } from 'react';
import { isShortcut } from '../../ui/shortcuts';

/** `i` shows and hides the details, wherever the focus is, except in text fields. */
export function useDetailsKey(isOpen: boolean, setOpen: (isOpen: boolean) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isElsewhere =
        event.target instanceof Element &&
        event.target.closest('input, textarea, [role="dialog"], [role="menu"]') !== null;
      if (!isShortcut(event, 'details') || isElsewhere) return;
      event.preventDefault();
      setOpen(!isOpen);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isOpen, setOpen]);
}
