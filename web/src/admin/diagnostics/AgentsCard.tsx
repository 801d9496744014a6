import { Bot } from 'lucide-react';
import { adminApi, body, type Schemas } from '../../api/client';
import { useTranslations } from '../../i18n';
import { Table, type TableColumn } from '../../ui/Table';
import { Muted, TimeCell, TitleCell } from '../shared/Cell';
import { LoadMore } from '../shared/LoadMore';
import { StateBadge, StateCell } from '../shared/StateBadge';
import { DiagnosticCard } from './DiagnosticCard';
import { useReports } from './use-reports';
import { agentsVerdict, latest } from './verdicts';

type Agent = Schemas['RuntimeDto'];

export function AgentsCard() {
  const t = useTranslations('admin.seoAgents');
  const { rows, pages } = useReports('seo-agents', async (params, signal) => {
    const page = await body(adminApi.GET('/admin/clients/{clientId}/seo-agents', { params, signal }));
    return { rows: page.agents, nextCursor: page.nextCursor };
  });
  const columns: TableColumn<Agent>[] = [
    {
      id: 'name',
      header: t('name'),
      kind: 'lead',
      width: '24%',
      cell: ({ agentId }) => <TitleCell title={agentId} />,
    },
    {
      id: 'state',
      header: t('state'),
      width: '36%',
      cell: ({ state, stale, detail }) =>
        stale && state !== 'stopped' && state !== 'failed' ? (
          <StateBadge state="stale" />
        ) : (
          <StateCell state={state} reason={detail} />
        ),
    },
    { id: 'task', header: t('task'), cell: ({ task }) => task ?? <Muted>–</Muted> },
    { id: 'at', header: t('lastHeartbeat'), cell: (agent) => <TimeCell at={agent.lastHeartbeatAt} /> },
  ];
  return (
    <DiagnosticCard
      subject="agents"
      icon={Bot}
      verdict={rows && agentsVerdict(rows)}
      at={latest((rows ?? []).map((agent) => agent.lastHeartbeatAt))}
      error={pages.error}
      onRetry={() => void pages.refetch()}
    >
      {rows?.length === 0 ? (
        <p>{t('howToReport')}</p>
      ) : (
        <Table label={t('title')} columns={columns} rows={rows} rowKey={({ agentId }) => agentId} />
      )}
      <LoadMore pages={pages} />
    </DiagnosticCard>
  );
}
