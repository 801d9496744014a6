import { Dialog, Popover } from 'react-aria-components/Popover';
import { classNames } from './class-names';
import menu from './Menu.module.css';
import type { PopoverProps, PopoverTriggerParts } from './Popover';
import styles from './Popover.module.css';

export default function OpenPopover({
  label,
  children,
  isWide,
  trigger: { state, triggerRef },
  ...props
}: PopoverProps & { trigger: PopoverTriggerParts }) {
  return (
    <Popover
      offset={6}
      {...props}
      trigger="DialogTrigger"
      triggerRef={triggerRef}
      isOpen={state.isOpen}
      onOpenChange={(isOpen) => state.setOpen(isOpen)}
      className={classNames(menu.popover, isWide && menu.wide)}
    >
      <Dialog className={styles.content} aria-label={label}>
        {children}
      </Dialog>
    </Popover>
  );
}
