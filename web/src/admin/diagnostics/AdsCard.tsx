import { Megaphone } from 'lucide-react';
import { adminApi, body, type Schemas } from '../../api/client';
import { useTranslations } from '../../i18n';
import { Table, type TableColumn } from '../../ui/Table';
import { TimeCell, TitleCell } from '../shared/Cell';
import { LoadMore } from '../shared/LoadMore';
import { StateCell } from '../shared/StateBadge';
import { DiagnosticCard } from './DiagnosticCard';
import { useReports } from './use-reports';
import { adsVerdict, latest } from './verdicts';

type Connection = Schemas['ConnectionDto'];

export function AdsCard() {
  const t = useTranslations('admin.ads');
  const { rows, pages } = useReports('ads-connections', async (params, signal) => {
    const page = await body(adminApi.GET('/admin/clients/{clientId}/ads-connections', { params, signal }));
    return { rows: page.connections, nextCursor: page.nextCursor };
  });
  const columns: TableColumn<Connection>[] = [
    {
      id: 'account',
      header: t('account'),
      kind: 'lead',
      cell: ({ provider, connectionId, accountId }) => (
        <TitleCell title={t(`providers.${provider}`)} minor={accountId ?? connectionId} />
      ),
    },
    {
      id: 'state',
      header: t('state'),
      width: '36%',
      cell: ({ state, detail }) => <StateCell state={state} reason={detail} />,
    },
    {
      id: 'expires',
      header: t('tokenExpires'),
      cell: ({ tokenExpiresAt }) => <TimeCell at={tokenExpiresAt} />,
    },
    { id: 'at', header: t('lastChecked'), cell: ({ lastCheckedAt }) => <TimeCell at={lastCheckedAt} /> },
  ];
  return (
    <DiagnosticCard
      subject="ads"
      icon={Megaphone}
      verdict={rows && adsVerdict(rows)}
      at={latest((rows ?? []).map(({ lastCheckedAt }) => lastCheckedAt))}
      error={pages.error}
      onRetry={() => void pages.refetch()}
    >
      {rows?.length === 0 ? (
        <p>{t('howToReport')}</p>
      ) : (
        <Table
          label={t('title')}
          columns={columns}
          rows={rows}
          rowKey={({ provider, connectionId }) => `${provider}:${connectionId}`}
        />
      )}
      <LoadMore pages={pages} />
    </DiagnosticCard>
  );
}
