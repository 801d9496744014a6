import type { ReactNode } from 'react';
import {
  Dialog,
  DialogTrigger,
  Popover as AriaPopover,
  type PopoverProps as AriaPopoverProps,
} from 'react-aria-components/Popover';
import menu from './Menu.module.css';
import styles from './Popover.module.css';

export { DialogTrigger };

export interface PopoverProps extends Omit<AriaPopoverProps, 'children' | 'className'> {
  label: string;
  children: ReactNode | ((props: { close: () => void }) => ReactNode);
}

/** A small floating dialog: `<DialogTrigger><Button/><Popover label="…">…</Popover></DialogTrigger>`. */
export function Popover({ label, children, ...props }: PopoverProps) {
  return (
    <AriaPopover offset={6} {...props} className={menu.popover}>
      <Dialog className={styles.content} aria-label={label}>
        {children}
      </Dialog>
    </AriaPopover>
  );
}
