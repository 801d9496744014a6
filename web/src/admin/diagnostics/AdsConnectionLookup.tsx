import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { adminApi, body, type Schemas } from '../../api/client';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import { AdminSection, Card } from '../shared/AdminPage';
import { TimeCell } from '../shared/Cell';
import { StateBadge } from '../shared/StateBadge';
import { useClientNames } from '../shared/use-client-names';
import styles from './Diagnostics.module.css';
import { LookupResult } from './LookupResult';
import { textIn } from '../../ui/form-text';

const PROVIDERS = ['google', 'meta', 'microsoft', 'linkedin', 'tiktok', 'pinterest'] as const;
type Provider = (typeof PROVIDERS)[number];

/** The state of one advertising connection. */
export function AdsConnectionLookup() {
  const t = useTranslations('admin.ads');
  const [provider, setProvider] = useState<Provider>('google');
  const [wanted, setWanted] = useState<{ provider: Provider; connectionId: string; clientId?: string }>();
  const connection = useQuery({
    queryKey: ['ads-connection', wanted],
    queryFn: ({ signal }) => {
      const { clientId, ...path } = wanted ?? { provider, connectionId: '' };
      const params = { path, query: { clientId } };
      return body(adminApi.GET('/admin/{provider}-ads/connections/{connectionId}', { params, signal }));
    },
    enabled: wanted !== undefined,
    retry: false,
  });
  return (
    <AdminSection title={t('title')} description={t('text')}>
      <Card>
        <Form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            const connectionId = textIn(new FormData(event.currentTarget), 'connectionId');
            if (connectionId) setWanted({ provider, connectionId });
          }}
        >
          <Select
            label={t('provider')}
            options={PROVIDERS.map((each) => ({ id: each, label: t(`providers.${each}`) }))}
            value={provider}
            onChange={setProvider}
          />
          <TextField
            className={styles.field}
            name="connectionId"
            label={t('id')}
            placeholder="google-demo"
            isRequired
          />
          <Button type="submit" isPending={connection.isFetching}>
            {t('lookUp')}
          </Button>
        </Form>
        {wanted && (
          <LookupResult query={connection} onChooseClient={(clientId) => setWanted({ ...wanted, clientId })}>
            {(found) => <Connection connection={found} />}
          </LookupResult>
        )}
      </Card>
    </AdminSection>
  );
}

function Connection({ connection }: { connection: Schemas['ConnectionDto'] }) {
  const t = useTranslations('admin.ads');
  const clientNames = useClientNames();
  return (
    <dl className={styles.facts}>
      <dt>{t('state')}</dt>
      <dd>
        <StateBadge state={connection.state} />
      </dd>
      <dt>{t('client')}</dt>
      <dd>{clientNames([connection.clientId])}</dd>
      <dt>{t('account')}</dt>
      <dd>{connection.accountId ?? '–'}</dd>
      <dt>{t('tokenExpires')}</dt>
      <dd>
        <TimeCell at={connection.tokenExpiresAt} />
      </dd>
      <dt>{t('lastChecked')}</dt>
      <dd>
        <TimeCell at={connection.lastCheckedAt} />
      </dd>
      {connection.detail && (
        <>
          <dt>{t('detail')}</dt>
          <dd>{connection.detail}</dd>
        </>
      )}
    </dl>
  );
}
