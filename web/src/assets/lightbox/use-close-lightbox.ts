import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useLibrary } from '../../library/use-library';

let wasOpenedHere = false;

/** Marks that the previous history entry is the page itself. */
export function openedHere(): void {
  wasOpenedHere = true;
}

/** Whether it was opened by its address, not on this page. */
export function isOpenedByLink(): boolean {
  return !wasOpenedHere;
}

/** Goes back to the previous page. A lightbox that was opened by its URL is closed in place. */
export function useCloseLightbox(): () => void {
  const router = useRouter();
  const { setSearch } = useLibrary();
  return useCallback(() => {
    if (wasOpenedHere) router.history.back();
    else setSearch({ asset: undefined, at: undefined }, { replace: true });
    wasOpenedHere = false;
  }, [router, setSearch]);
}
