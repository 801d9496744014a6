import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from '../i18n';
import { useSession } from '../api/use-session';
import { ButtonLink } from '../ui/ButtonLink';
import styles from './AppShell.module.css';
import type { StorageState } from './StorageBanner';

export default function StorageProblem({ state }: { state: StorageState }) {
  const t = useTranslations('storage');
  const forClients = useTranslations('ui.forClients.storage');
  const { side, can } = useSession();
  const code = (text: ReactNode) => <code>{text}</code>;
  return (
    <div className={styles.banner} role="status">
      <TriangleAlert size={18} aria-hidden />
      <p>
        {side === 'admin' ? (
          <>
            <strong>{t(`${state}.title`)}</strong> {t.rich(`${state}.text`, { code })}
          </>
        ) : (
          <>
            <strong>{forClients('title')}.</strong> {forClients('detail')}
          </>
        )}
      </p>
      {can('diagnostics:manage') && <ButtonLink href="/diagnostics">{t('check')}</ButtonLink>}
    </div>
  );
}
