import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Header,
  Keyboard,
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection as AriaMenuSection,
  MenuTrigger,
  Popover,
  Separator,
  SubmenuTrigger,
  Text,
  type MenuItemProps as AriaMenuItemProps,
  type MenuProps as AriaMenuProps,
  type PopoverProps,
} from 'react-aria-components/Menu';
import styles from './Menu.module.css';
import { classNames } from './class-names';

export { MenuTrigger, SubmenuTrigger };

export interface MenuProps<Item extends object> extends Omit<AriaMenuProps<Item>, 'className'> {
  placement?: PopoverProps['placement'];
}

/** The menu and its popover: `<MenuTrigger><Button/><Menu>…</Menu></MenuTrigger>`. */
export function Menu<Item extends object>({ placement = 'bottom start', ...props }: MenuProps<Item>) {
  return (
    <Popover className={styles.popover} placement={placement} offset={6}>
      <AriaMenu {...props} className={styles.menu} />
    </Popover>
  );
}

export interface MenuItemProps extends Omit<AriaMenuItemProps, 'children' | 'className'> {
  label: string;
  icon?: ReactNode;
  description?: string;
  /** Shown at the end; the page handles the key itself. */
  shortcut?: string;
  tone?: 'normal' | 'danger';
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
          <span className={styles.text}>
            <Text slot="label" className={styles.label}>
              {label}
            </Text>
            {description && (
              <Text slot="description" className={styles.description}>
                {description}
              </Text>
            )}
          </span>
          {shortcut && <Keyboard className={styles.shortcut}>{shortcut}</Keyboard>}
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

export function MenuSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <AriaMenuSection>
      <Header className={styles.header}>{title}</Header>
      {children}
    </AriaMenuSection>
  );
}
