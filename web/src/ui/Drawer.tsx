import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Modal, ModalOverlay } from 'react-aria-components/Modal';
import styles from './Dialog.module.css';
import { classNames } from './class-names';

export interface DrawerProps {
  label: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  side: 'left' | 'right' | 'bottom';
  children: ReactNode | ((props: { close: () => void }) => ReactNode);
}

/** A panel that slides in over the page: folders from the left, details from below on a phone. */
export function Drawer({ label, isOpen, onOpenChange, side, children }: DrawerProps) {
  return (
    <ModalOverlay className={styles.drawerOverlay} isOpen={isOpen} onOpenChange={onOpenChange} isDismissable>
      <Modal className={classNames(styles.drawer, styles[side])}>
        <AriaDialog className={styles.dialog} aria-label={label}>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
