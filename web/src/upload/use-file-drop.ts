import { type DragEvent, useEffect, useRef, useState } from 'react';

/** Without an event for this long, the pointer has moved to an inner drop target or left the window. */
const LEFT_AFTER_MS = 400;

const hasFiles = ({ dataTransfer }: { dataTransfer: DataTransfer | null }) =>
  dataTransfer?.types.includes('Files') ?? false;

/** Handles files that are dragged from outside over an element. Inner targets that handle the event stop it. */
export function useFileDrop(isAllowed: boolean, onDrop: (data: DataTransfer) => void) {
  const [isOver, setOver] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useNoStrayDrops();

  const leave = () => {
    clearTimeout(timer.current);
    setOver(false);
  };
  const accept = (event: DragEvent<HTMLElement>) => {
    if (!isAllowed || !hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    setOver(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOver(false), LEFT_AFTER_MS);
  };
  const dropProps = {
    // Without it, a drop is lost if the pointer has just reached another element inside, or content has appeared under it.
    onDragEnter: accept,
    onDragOver: accept,
    onDragLeave({ currentTarget, relatedTarget }: DragEvent<HTMLElement>) {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) leave();
    },
    onDrop(event: DragEvent<HTMLElement>) {
      leave();
      if (!isAllowed || !hasFiles(event)) return;
      event.preventDefault();
      onDrop(event.dataTransfer);
    },
  };
  return { isOver, dropProps };
}

/** If nothing handles a dropped file, the browser opens it and leaves the page. */
function useNoStrayDrops(): void {
  useEffect(() => {
    const refuse = (event: globalThis.DragEvent) => {
      if (event.defaultPrevented || !hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
    };
    addEventListener('dragover', refuse);
    addEventListener('drop', refuse);
    return () => {
      removeEventListener('dragover', refuse);
      removeEventListener('drop', refuse);
    };
  }, []);
}
