import { createContext, use, useMemo, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

type SlotName = 'search' | 'drawer';

interface Slots {
  readonly elements: Readonly<Partial<Record<SlotName, HTMLElement | null>>>;
  readonly setElement: (name: SlotName, element: HTMLElement | null) => void;
  readonly isDrawerOpen: boolean;
  readonly setDrawerOpen: (isOpen: boolean) => void;
}

const SlotsContext = createContext<Slots | null>(null);

export function SlotsProvider({ children }: { children: ReactNode }) {
  const [elements, setElements] = useState<Slots['elements']>({});
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const slots = useMemo<Slots>(
    () => ({
      elements,
      setElement: (name, element) => setElements((previous) => ({ ...previous, [name]: element })),
      isDrawerOpen,
      setDrawerOpen,
    }),
    [elements, isDrawerOpen],
  );
  return <SlotsContext value={slots}>{children}</SlotsContext>;
}

function useSlots(): Slots {
  const slots = use(SlotsContext);
  if (!slots) throw new Error('A slot needs a <SlotsProvider> above it');
  return slots;
}

/** The place where the shell shows the content of a slot. */
export function SlotTarget({ name, className }: { name: SlotName; className?: string }) {
  const { setElement } = useSlots();
  const [attach] = useState(() => (element: HTMLElement | null) => setElement(name, element));
  return <div className={className} ref={attach} />;
}

function Slot({ name, children }: { name: SlotName; children: ReactNode }) {
  const element = useSlots().elements[name];
  return element ? createPortal(children, element) : null;
}

/** Puts a page's search field into the top bar: `<TopBarSearch><SearchField …/></TopBarSearch>`. */
export function TopBarSearch({ children }: { children: ReactNode }) {
  return <Slot name="search">{children}</Slot>;
}

/** Puts a page's side panel, such as the folder tree, into the drawer that the menu button opens on phones. */
export function DrawerContent({ children }: { children: ReactNode }) {
  return <Slot name="drawer">{children}</Slot>;
}

export function useDrawer(): { isOpen: boolean; setOpen: (isOpen: boolean) => void } {
  const { isDrawerOpen, setDrawerOpen } = useSlots();
  return { isOpen: isDrawerOpen, setOpen: setDrawerOpen };
}
