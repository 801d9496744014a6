import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useTranslations } from '../i18n';
import { IconButton } from './IconButton';
import styles from './Dialog.module.css';
import { classNames } from './class-names';

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  size?: 'small' | 'medium' | 'large';
  role?: 'dialog' | 'alertdialog';
  /** False: neither Escape nor a click outside closes it. */
  isDismissable?: boolean;
  children: ReactNode | ((props: { close: () => void }) => ReactNode);
}

export function Dialog({
  title,
  isOpen,
  onOpenChange,
  size = 'medium',
  role = 'dialog',
  isDismissable = true,
  children,
}: DialogProps) {
  const t = useTranslations('ui');
  return (
    <ModalOverlay
      className={styles.overlay}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
      data-dialog
    >
      <Modal className={classNames(styles.modal, size !== 'medium' && styles[size])}>
        <AriaDialog className={styles.dialog} role={role}>
          {({ close }) => (
            <>
              <header className={styles.header}>
                <Heading slot="title" className={styles.title}>
                  {title}
                </Heading>
                {isDismissable && <IconButton label={t('close')} icon={<X aria-hidden />} onPress={close} />}
              </header>
              <div className={styles.content}>
                {typeof children === 'function' ? children({ close }) : children}
              </div>
            </>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The row of buttons at the bottom of a dialog. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return <div className={styles.footer}>{children}</div>;
}
