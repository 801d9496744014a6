import { BookOpen, CircleUser, Keyboard, LogOut } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyWithTexts } from '../i18n/lazy-with-texts';
import { Button } from 'react-aria-components/Button';
import { useTranslations } from '../i18n';
import { useSession } from '../api/use-session';
import { Avatar } from '../ui/Avatar';
import { initialsOf } from '../ui/initials';
import { Menu, MenuItem, MenuSection, MenuSeparator, MenuTrigger } from '../ui/Menu';
import { useUploadsOfPage } from '../upload/UploadProvider';
import styles from './AppShell.module.css';
import { useClientIdOfPage } from '../scope/use-client-id';
import { useNavigation } from './navigation';
import { shortcutHint } from '../ui/shortcuts';

const SignOutDialog = lazyWithTexts(() => import('./SignOutDialog'));

export function AccountMenu({ onShowShortcuts }: { onShowShortcuts: () => void }) {
  const t = useTranslations('shell');
  const { user, side, signOut } = useSession();
  const { platform } = useNavigation();
  const isInClient = useClientIdOfPage() !== undefined;
  const uploads = useUploadsOfPage();
  const [isAsking, setAsking] = useState(false);
  // Part of the name, so that users of speech control can say what they see.
  const initials = initialsOf(user.name);
  const leave = () => {
    if (uploads.getSnapshot().unfinished > 0) setAsking(true);
    else void signOut();
  };
  return (
    <>
      <MenuTrigger>
        <Button className={styles.account} aria-label={t('accountButton', { name: user.name, initials })}>
          <Avatar name={user.name} />
        </Button>
        <Menu placement="bottom end" aria-label={t('account', { name: user.name })}>
          <MenuSection title={user.email ?? user.name}>
            <MenuItem label={t('profile')} icon={<CircleUser aria-hidden />} href="/profile" />
            <MenuItem
              label={t('shortcuts.title')}
              icon={<Keyboard aria-hidden />}
              shortcut={shortcutHint('help')}
              onAction={onShowShortcuts}
            />
            {side === 'admin' && (
              <MenuItem label={t('apiDocs')} icon={<BookOpen aria-hidden />} href="/docs" target="_blank" />
            )}
          </MenuSection>
          {isInClient && platform.length > 0 && (
            <>
              <MenuSeparator />
              <MenuSection title={t('platform')}>
                {platform.map(({ label, link, icon: Icon }) => (
                  <MenuItem
                    key={label}
                    label={t(`nav.${label}`)}
                    icon={<Icon aria-hidden />}
                    href={link.to}
                  />
                ))}
              </MenuSection>
            </>
          )}
          <MenuSeparator />
          <MenuItem label={t('signOut')} icon={<LogOut aria-hidden />} onAction={leave} />
        </Menu>
      </MenuTrigger>
      <Suspense>
        {isAsking && <SignOutDialog onSignOut={signOut} onClose={() => setAsking(false)} />}
      </Suspense>
    </>
  );
}
