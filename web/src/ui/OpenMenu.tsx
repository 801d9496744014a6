import { Check } from 'lucide-react';
import {
  Header,
  Keyboard,
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection as AriaMenuSection,
  Popover,
  Separator,
  Text,
} from 'react-aria-components/Menu';
import type { MenuItemProps, MenuSectionProps, OpenMenuProps } from './Menu';
import styles from './Menu.module.css';
import { classNames } from './class-names';

export function OpenMenu({ placement, trigger: { state, triggerRef, menuProps }, ...props }: OpenMenuProps) {
  return (
    <Popover
      className={styles.popover}
      trigger="MenuTrigger"
      triggerRef={triggerRef}
      isOpen={state.isOpen}
      onOpenChange={(isOpen) => state.setOpen(isOpen)}
      aria-labelledby={menuProps['aria-labelledby']}
      placement={placement}
      offset={6}
    >
      <AriaMenu {...menuProps} {...props} className={styles.menu} />
    </Popover>
  );
}

export function MenuItem({ label, icon, description, shortcut, tone, ...props }: MenuItemProps) {
  return (
    <AriaMenuItem
      {...props}
      textValue={label}
      className={classNames(styles.item, tone === 'danger' && styles.danger)}
    >
      {({ selectionMode, isSelected }) => (
        <>
          {icon}
          {/* All visible text belongs to the name, also for speech control. */}
          <Text slot="label" className={styles.text}>
            <span className={styles.label}>{label}</span>
            {description && <span className={styles.description}>{description}</span>}
          </Text>
          {shortcut && <Keyboard className={styles.shortcut} data-keys={shortcut} />}
          {selectionMode !== 'none' && (
            <Check className={classNames(styles.check, !isSelected && styles.off)} aria-hidden />
          )}
        </>
      )}
    </AriaMenuItem>
  );
}

export function MenuSeparator() {
  return <Separator className={styles.separator} />;
}

export function MenuSection({ title, children, ...props }: MenuSectionProps) {
  return (
    <AriaMenuSection {...props}>
      <Header className={styles.header}>{title}</Header>
      {children}
    </AriaMenuSection>
  );
}
