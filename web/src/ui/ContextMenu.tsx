import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { Menu as AriaMenu, Popover } from 'react-aria-components/Menu';
import styles from './Menu.module.css';

export interface ContextMenuProps {
  label: string;
  /** Where it opens, in the window's coordinates; null: closed. */
  at: { x: number; y: number } | null;
  onClose: () => void;
  /** `MenuItem`s. */
  children: ReactNode;
}

export function ContextMenu({ label, at, onClose, children }: ContextMenuProps) {
  const anchor = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!at || !anchor.current) return;
    anchor.current.style.left = `${at.x}px`;
    anchor.current.style.top = `${at.y}px`;
  }, [at]);
  return (
    <>
      <div ref={anchor} className={styles.anchor} aria-hidden />
      <Popover
        key={at ? `${at.x},${at.y}` : 'closed'}
        className={styles.popover}
        triggerRef={anchor}
        isOpen={at !== null}
        onOpenChange={(isOpen) => !isOpen && onClose()}
        placement="bottom start"
        offset={2}
      >
        <AriaMenu className={styles.menu} aria-label={label} autoFocus="first" onClose={onClose}>
          {children}
        </AriaMenu>
      </Popover>
    </>
  );
}
