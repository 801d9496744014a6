import { Outlet } from '@tanstack/react-router';
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
  return (
    <UploadProvider>
      <SlotsProvider>
        <div className={styles.shell}>
          <a className={styles.skip} href="#content">
            {t('skipToContent')}
          </a>
          <TopBar onShowShortcuts={() => shortcuts.setOpen(true)} />
          <StorageBanner />
          <div className={styles.page} id="content" tabIndex={-1}>
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
