import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet, useLocation, useMatches } from '@tanstack/react-router';
import { type MouseEvent, type RefObject, Suspense, useEffect, useRef } from 'react';
import { lazyWithTexts } from '../i18n/lazy-with-texts';
import { useTranslations } from '../i18n';
import { useSession, useSessionState } from '../api/use-session';
import { useIsNarrow } from '../ui/use-media-query';
import { UploadPanel } from '../upload/UploadPanel';
import { UploadProvider } from '../upload/UploadProvider';
import styles from './AppShell.module.css';
import { queryClient } from '../api/query-client';
import { SlotsProvider } from './slots';
import { StorageBanner } from './StorageBanner';
import { TopBar } from './TopBar';
import { useShortcutsKey } from './use-shortcuts-key';

const NotFoundPage = lazyWithTexts(() => import('../missing/NotFoundPage'));
const AppDrawer = lazyWithTexts(() => import('./AppDrawer'));
const ShortcutsDialog = lazyWithTexts(() => import('./ShortcutsDialog'));

/** The bar on top and the page below it. */
export function AppShell() {
  const t = useTranslations('shell');
  const shortcuts = useShortcutsKey();
  const isNarrow = useIsNarrow();
  const content = useRef<HTMLDivElement>(null);
  useFocusOnNavigation(content);
  useFocusAfterDialogs();
  return (
    <QueryClientProvider client={queryClient}>
      <UploadProvider>
        <SlotsProvider>
          <div className={styles.shell}>
            <a className={styles.skip} href="#content" onClick={skipToContent}>
              {t('skipToContent')}
            </a>
            <TopBar onShowShortcuts={() => shortcuts.setOpen(true)} />
            <StorageBanner />
            <div className={styles.page} id="content" tabIndex={-1} ref={content}>
              <Page />
            </div>
          </div>
          <Suspense>{isNarrow && <AppDrawer />}</Suspense>
          <Suspense>
            {shortcuts.isOpen && <ShortcutsDialog isOpen onOpenChange={shortcuts.setOpen} />}
          </Suspense>
          <UploadPanel />
        </SlotsProvider>
      </UploadProvider>
    </QueryClientProvider>
  );
}

/** Past the toolbar and the folders of the library, to its assets. */
function mainContent(): HTMLElement | null {
  return (
    document.querySelector<HTMLElement>('[role=grid] [role=row][tabindex="0"]') ??
    document.querySelector<HTMLElement>('[data-main-content]') ??
    document.getElementById('content')
  );
}

function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  mainContent()?.focus();
}

/** A page whose permission the user lacks does not exist for them. */
function Page() {
  const { can } = useSession();
  const isAllowed = useMatches({
    select: (matches) =>
      matches.every(({ staticData: { permission } }) => permission === null || can(permission)),
  });
  // After sign-out, the page stays until the sign-in page replaces it.
  const isSigningOut = useSessionState().user === null;
  return isAllowed || isSigningOut ? (
    <Outlet />
  ) : (
    <Suspense>
      <NotFoundPage />
    </Suspense>
  );
}

/** On a new page, keyboard and screen reader focus starts at the content. */
function useFocusOnNavigation(content: RefObject<HTMLElement | null>) {
  const { pathname } = useLocation();
  const previous = useRef(pathname);
  useEffect(() => {
    if (previous.current !== pathname) content.current?.focus({ preventScroll: true });
    previous.current = pathname;
  }, [pathname, content]);
}

/** A dialog or menu gives the focus back to what opened it. If that is gone, the page gets it. */
function useFocusAfterDialogs() {
  useEffect(() => {
    let isInside = true;
    const onFocus = ({ target }: FocusEvent) => (isInside = (target as Element).closest('#root') !== null);
    const observer = new MutationObserver(() => {
      // They give it back a moment after they are gone.
      setTimeout(() => {
        if (!isInside && document.activeElement === document.body)
          mainContent()?.focus({ preventScroll: true });
      }, 100);
    });
    addEventListener('focusin', onFocus);
    observer.observe(document.body, { childList: true });
    return () => {
      removeEventListener('focusin', onFocus);
      observer.disconnect();
    };
  }, []);
}
