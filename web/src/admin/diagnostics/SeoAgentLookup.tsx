import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { adminApi, body, type Schemas } from '../../api/client';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/TextField';
import { AdminSection, Card } from '../shared/AdminPage';
import { TimeCell } from '../shared/Cell';
import { StateBadge } from '../shared/StateBadge';
import { useClientNames } from '../shared/use-client-names';
import styles from './Diagnostics.module.css';
import { LookupResult } from './LookupResult';
import { Recent } from './Recent';
import { useRecent } from './use-recent';
import { textIn } from '../../ui/form-text';

/** The last report of an SEO agent; refreshed while it is shown. */
export function SeoAgentLookup() {
  const t = useTranslations('admin.seoAgents');
  const [recent, remember] = useRecent('seo-agents');
  const [wanted, setWanted] = useState<{ agentId: string; clientId?: string }>();
  const runtime = useQuery({
    queryKey: ['seo-agent', wanted],
    queryFn: ({ signal }) =>
      body(
        adminApi.GET('/admin/seo/agents/{agentId}/runtime', {
          params: {
            path: { agentId: wanted?.agentId ?? '' },
            query: { clientId: wanted?.clientId },
          },
          signal,
        }),
      ),
    enabled: wanted !== undefined,
    refetchInterval: 10_000,
    retry: false,
  });
  const lookUp = (id: string) => {
    if (id === '') return;
    setWanted({ agentId: id });
    remember(id);
    if (id === wanted?.agentId && wanted.clientId === undefined) void runtime.refetch();
  };
  return (
    <AdminSection title={t('title')} description={t('text')}>
      <Card>
        <Form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            lookUp(textIn(new FormData(event.currentTarget), 'agentId'));
          }}
        >
          <TextField name="agentId" label={t('id')} placeholder="seo-demo-1" isRequired />
          <Button type="submit" isPending={runtime.isFetching && !runtime.data}>
            {t('lookUp')}
          </Button>
        </Form>
        <Recent ids={recent} selected={wanted?.agentId} onChoose={lookUp} />
        {wanted && (
          <LookupResult query={runtime} onChooseClient={(clientId) => setWanted({ ...wanted, clientId })}>
            {(found) => <Runtime runtime={found} />}
          </LookupResult>
        )}
      </Card>
    </AdminSection>
  );
}

function Runtime({ runtime }: { runtime: Schemas['RuntimeDto'] }) {
  const t = useTranslations('admin.seoAgents');
  const clientNames = useClientNames();
  return (
    <dl className={styles.facts}>
      <dt>{t('state')}</dt>
      <dd className={styles.badges}>
        <StateBadge state={runtime.state} />
        {runtime.stale && <StateBadge state="stale" />}
      </dd>
      <dt>{t('client')}</dt>
      <dd>{clientNames([runtime.clientId])}</dd>
      <dt>{t('task')}</dt>
      <dd>{runtime.task ?? '–'}</dd>
      <dt>{t('lastHeartbeat')}</dt>
      <dd>
        <TimeCell at={runtime.lastHeartbeatAt} />
      </dd>
      {runtime.detail && (
        <>
          <dt>{t('detail')}</dt>
          <dd>{runtime.detail}</dd>
        </>
      )}
    </dl>
  );
}
