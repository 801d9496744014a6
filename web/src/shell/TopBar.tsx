import { Link } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { useTranslations } from '../i18n';
import { IconButton } from '../ui/IconButton';
import { useSession } from '../api/use-session';
import { AccountMenu } from './AccountMenu';
import styles from './AppShell.module.css';
import { ClientSwitcher } from './ClientSwitcher';
import { LogoMark } from '../ui/LogoMark';
import { useClientIdOfPage } from '../scope/use-client-id';
import { useNavigation } from './navigation';
import { SlotTarget, useDrawer } from './slots';
import { ThemeButton } from './ThemeButton';
import { useClientName } from '../scope/use-client-name';

export function TopBar({ onShowShortcuts }: { onShowShortcuts: () => void }) {
  const t = useTranslations('shell');
  const { side } = useSession();
  const { page } = useNavigation();
  const clientId = useClientIdOfPage();
  const clientName = useClientName();
  const drawer = useDrawer();
  return (
    <header className={styles.bar}>
      <span className={styles.narrowOnly}>
        <IconButton
          label={t('openMenu')}
          icon={<MenuIcon aria-hidden />}
          onPress={() => drawer.setOpen(true)}
        />
      </span>
      <span className={styles.wideOnly}>
        <Link to="/" className={styles.logo} aria-label={t('home')}>
          <LogoMark />
        </Link>
      </span>
      {side === 'admin' && clientId !== undefined ? (
        <ClientSwitcher clientId={clientId} />
      ) : (
        <span className={styles.name}>{clientName ?? t('product')}</span>
      )}
      <span className={styles.wideOnly}>
        <nav className={styles.nav} aria-label={t('mainNavigation')}>
          {page.map(({ label, link }) => (
            <Link
              key={label}
              {...link}
              className={styles.link}
              activeOptions={{ exact: true, includeSearch: false }}
              activeProps={{ 'aria-current': 'page' }}
            >
              {t(`nav.${label}`)}
            </Link>
          ))}
        </nav>
      </span>
      <SlotTarget name="search" className={styles.search} />
      <div className={styles.end}>
        <ThemeButton />
        <AccountMenu onShowShortcuts={onShowShortcuts} />
      </div>
    </header>
  );
}
