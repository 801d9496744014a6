import { useRef, type ReactNode } from 'react';
import { Menu as AriaMenu, Popover } from 'react-aria-components/Menu';
import styles from './Menu.module.css';

export interface ContextMenuProps {
  label: string;
  /** Where it opens, in the window's coordinates. */
  at: { x: number; y: number };
  onClose: () => void;
  /** `MenuItem`s. */
  children: ReactNode;
}

export function ContextMenu({ label, at, onClose, children }: ContextMenuProps) {
  const anchor = useRef<HTMLDivElement>(null);
  return (
    <>
      <div ref={anchor} className={styles.anchor} style={{ left: at.x, top: at.y }} aria-hidden />
      <Popover
        key={`${at.x},${at.y}`}
        className={styles.popover}
        aria-label={label}
        triggerRef={anchor}
        isOpen
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
