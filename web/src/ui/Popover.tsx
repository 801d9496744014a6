import { createContext, lazy, Suspense, use, useRef, type ReactNode, type RefObject } from 'react';
import { useOverlayTrigger } from 'react-aria/useOverlayTrigger';
import { ButtonContext } from 'react-aria-components/Button';
import type { PopoverProps as AriaPopoverProps } from 'react-aria-components/Popover';
import { useOverlayTriggerState, type OverlayTriggerState } from 'react-stately/useOverlayTriggerState';

export interface PopoverProps extends Omit<AriaPopoverProps, 'children' | 'className' | 'trigger'> {
  label: string;
  /** As wide as its content. */
  isWide?: boolean;
  children: ReactNode | ((props: { close: () => void }) => ReactNode);
}

export interface PopoverTriggerParts {
  readonly state: OverlayTriggerState;
  readonly triggerRef: RefObject<HTMLButtonElement | null>;
}

const TriggerContext = createContext<PopoverTriggerParts | null>(null);

const load = () => import('./OpenPopover');
const preload = () => void load().catch(() => undefined);
const OpenPopover = lazy(load);

export function DialogTrigger({ children }: { children: ReactNode }) {
  const state = useOverlayTriggerState({});
  const triggerRef = useRef<HTMLButtonElement>(null);
  const { triggerProps } = useOverlayTrigger({ type: 'dialog' }, state, triggerRef);
  const button = {
    ...triggerProps,
    ref: triggerRef,
    isPressed: state.isOpen,
    onHoverStart: preload,
    onFocus: preload,
  };
  return (
    <TriggerContext value={{ state, triggerRef }}>
      <ButtonContext value={button}>{children}</ButtonContext>
    </TriggerContext>
  );
}

/** A small floating dialog: `<DialogTrigger><Button/><Popover label="…">…</Popover></DialogTrigger>`. */
export function Popover(props: PopoverProps) {
  const trigger = use(TriggerContext)!;
  const wasOpened = useRef(false);
  wasOpened.current ||= trigger.state.isOpen;
  if (!wasOpened.current) return null;
  return (
    <ButtonContext value={null}>
      <Suspense>
        <OpenPopover {...props} trigger={trigger} />
      </Suspense>
    </ButtonContext>
  );
}
