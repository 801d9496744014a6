import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslations } from '../i18n';
import { Drawer } from '../ui/Drawer';
import styles from './AppShell.module.css';
import { useNavigation } from './navigation';
import { SlotTarget, useDrawer } from './slots';

/** The navigation on a phone, with the page's side panel below it. */
export default function AppDrawer() {
  const t = useTranslations('shell');
  const { page } = useNavigation();
  const { isOpen, setOpen } = useDrawer();
  const { href } = useLocation();
  // Not when it is mounted: it may have been opened while this file was still loading.
  const shownAt = useRef(href);
  useEffect(() => {
    if (shownAt.current !== href) setOpen(false);
    shownAt.current = href;
  }, [href, setOpen]);
  return (
    <Drawer label={t('menu')} side="left" isOpen={isOpen} onOpenChange={setOpen}>
      <div className={styles.drawer}>
        <nav className={styles.drawerNav} aria-label={t('mainNavigation')}>
          {page.map(({ label, link, icon: Icon }) => (
            <Link
              key={label}
              {...link}
              className={styles.link}
              activeOptions={{ exact: true, includeSearch: false }}
              activeProps={{ 'aria-current': 'page' }}
              onClick={() => setOpen(false)}
            >
              <Icon size={18} aria-hidden />
              {t(`nav.${label}`)}
            </Link>
          ))}
        </nav>
        <SlotTarget name="drawer" className={styles.drawerSlot} />
      </div>
    </Drawer>
  );
}
