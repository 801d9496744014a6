import { useEffect, useEffectEvent } from 'react';

/** Files pasted while no text is being edited, such as a screenshot. */
export function useFilePaste(isAllowed: boolean, onPaste: (files: File[]) => void): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (!isAllowed || files.length === 0 || isEditing(event.target)) return;
    event.preventDefault();
    onPaste(files.map(withTellingName));
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => paste(event);
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, []);
}

function isEditing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, [role="dialog"]') !== null)
  );
}

/** Browsers give every pasted picture the same name. */
function withTellingName(file: File): File {
  if (!/^image\.\w+$/.test(file.name)) return file;
  const time = new Date().toLocaleString('sv').replaceAll(':', '.');
  return new File([file], `Pasted ${time}${file.name.slice('image'.length)}`, {
    type: file.type,
    lastModified: file.lastModified,
  });
}
