import { createContext, lazy, Suspense, use, useRef, type ReactNode, type RefObject } from 'react';
import { useMenuTrigger, type AriaMenuOptions } from 'react-aria/useMenu';
import { ButtonContext } from 'react-aria-components/Button';
import type {
  MenuItemProps as AriaMenuItemProps,
  MenuProps as AriaMenuProps,
  MenuSectionProps as AriaMenuSectionProps,
  PopoverProps,
} from 'react-aria-components/Menu';
import { useMenuTriggerState, type MenuTriggerState } from 'react-stately/useMenuTriggerState';

export interface MenuProps extends Omit<AriaMenuProps<object>, 'className'> {
  placement?: PopoverProps['placement'];
}

export interface MenuItemProps extends Omit<AriaMenuItemProps, 'children' | 'className'> {
  label: string;
  icon?: ReactNode;
  description?: string;
  /** Shown at the end; the page handles the key itself. */
  shortcut?: string;
  tone?: 'normal' | 'danger';
}

/** With its own selection, if it has a `selectionMode`. */
export interface MenuSectionProps extends Omit<AriaMenuSectionProps<object>, 'children' | 'className'> {
  title: string;
  children: ReactNode;
}

export interface OpenMenuProps extends MenuProps {
  trigger: MenuTriggerParts;
}

interface MenuTriggerParts {
  readonly state: MenuTriggerState;
  readonly triggerRef: RefObject<HTMLButtonElement | null>;
  readonly menuProps: AriaMenuOptions<object>;
}

const TriggerContext = createContext<MenuTriggerParts | null>(null);

const load = () => import('./OpenMenu');
const preload = () => void load().catch(() => undefined);
const OpenMenu = lazy(async () => ({ default: (await load()).OpenMenu }));
export const MenuItem = lazy(async () => ({ default: (await load()).MenuItem }));
export const MenuSection = lazy(async () => ({ default: (await load()).MenuSection }));
export const MenuSeparator = lazy(async () => ({ default: (await load()).MenuSeparator }));

/** `<MenuTrigger><Button/><Menu>…</Menu></MenuTrigger>` */
export function MenuTrigger({ children }: { children: ReactNode }) {
  const state = useMenuTriggerState({});
  const triggerRef = useRef<HTMLButtonElement>(null);
  const { menuTriggerProps, menuProps } = useMenuTrigger<object>({ type: 'menu' }, state, triggerRef);
  const button = {
    ...menuTriggerProps,
    ref: triggerRef,
    isPressed: state.isOpen,
    onHoverStart: preload,
    onFocus: preload,
  };
  return (
    <TriggerContext value={{ state, triggerRef, menuProps }}>
      <ButtonContext value={button}>{children}</ButtonContext>
    </TriggerContext>
  );
}

/** The menu and its popover, loaded when the pointer or the focus reaches the button. */
export function Menu({ placement = 'bottom start', ...props }: MenuProps) {
  const trigger = use(TriggerContext)!;
  const wasOpened = useRef(false);
  wasOpened.current ||= trigger.state.isOpen;
  if (!wasOpened.current) return null;
  return (
    <ButtonContext value={null}>
      <Suspense>
        <OpenMenu {...props} placement={placement} trigger={trigger} />
      </Suspense>
    </ButtonContext>
  );
}
