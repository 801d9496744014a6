import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from '../i18n';
import storage from '../i18n/en/storage.json';
import { addTexts } from '../i18n/messages';
import { useSession } from '../session/use-session';
import { ButtonLink } from '../ui/ButtonLink';
import styles from './AppShell.module.css';
import type { StorageState } from './StorageBanner';

addTexts({ storage });

export default function StorageProblem({ state }: { state: StorageState }) {
  const t = useTranslations('storage');
  const { side, can } = useSession();
  const code = (text: ReactNode) => <code>{text}</code>;
  return (
    <div className={styles.banner} role="status">
      <TriangleAlert size={18} aria-hidden />
      <p>
        <strong>{t(`${state}.title`)}</strong>{' '}
        {side === 'admin' ? t.rich(`${state}.text`, { code }) : t('portal')}
      </p>
      {can('diagnostics:manage') && <ButtonLink href="/diagnostics">{t('check')}</ButtonLink>}
    </div>
  );
}
