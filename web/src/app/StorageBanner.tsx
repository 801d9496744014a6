import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { adminApi, body } from '../api/client';
import { useTranslations } from '../i18n';
import { useSession } from '../session/use-session';
import { ButtonLink } from '../ui/Button';
import styles from './AppShell.module.css';

/** Says why uploads and previews do not work, as long as they do not. */
export function StorageBanner() {
  const t = useTranslations('shell.storage');
  const { side, can } = useSession();
  const { data } = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => body(adminApi.GET('/status', { signal })),
    staleTime: 60_000,
    refetchInterval: (query) => (query.state.data?.checks.storage === 'ok' ? false : 60_000),
    retry: false,
  });
  const state = data?.checks.storage ?? 'ok';
  if (state === 'ok') return null;
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
