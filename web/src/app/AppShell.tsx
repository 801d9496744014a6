import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, type RefObject } from 'react';
import { useTranslations } from '../i18n';
import { UploadPanel } from '../upload/UploadPanel';
import { UploadProvider } from '../upload/UploadProvider';
import { AppDrawer } from './AppDrawer';
import styles from './AppShell.module.css';
import { ShortcutsDialog, useShortcutsKey } from './ShortcutsDialog';
import { SlotsProvider } from './slots';
import { StorageBanner } from './StorageBanner';
import { TopBar } from './TopBar';

/** The bar on top and the page below it. */
export function AppShell() {
  const t = useTranslations('shell');
  const shortcuts = useShortcutsKey();
  const content = useRef<HTMLDivElement>(null);
  useFocusOnNavigation(content);
  return (
    <UploadProvider>
      <SlotsProvider>
        <div className={styles.shell}>
          <a className={styles.skip} href="#content">
            {t('skipToContent')}
          </a>
          <TopBar onShowShortcuts={() => shortcuts.setOpen(true)} />
          <StorageBanner />
          <div className={styles.page} id="content" tabIndex={-1} ref={content}>
            <Outlet />
          </div>
        </div>
        <AppDrawer />
        <ShortcutsDialog isOpen={shortcuts.isOpen} onOpenChange={shortcuts.setOpen} />
        <UploadPanel />
      </SlotsProvider>
    </UploadProvider>
  );
}

/** A new page begins at its content, for the keyboard and for screen readers. */
function useFocusOnNavigation(content: RefObject<HTMLElement | null>) {
  const { pathname } = useLocation();
  const previous = useRef(pathname);
  useEffect(() => {
    if (previous.current !== pathname) content.current?.focus({ preventScroll: true });
    previous.current = pathname;
  }, [pathname, content]);
}
