import { useQueryClient } from '@tanstack/react-query';
import { FlaskConical, Plus, Route } from 'lucide-react';
import { useState } from 'react';
import { adminApi, body, type Schemas } from '../../api/client';
import { scopeKey, useScope } from '../../scope/scope';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { Table, type TableColumn } from '../../ui/Table';
import { TimeCell, TitleCell } from '../shared/Cell';
import { LoadMore } from '../shared/LoadMore';
import { AttributionDialog } from './AttributionDialog';
import cardStyles from './DiagnosticCard.module.css';
import { DiagnosticCard } from './DiagnosticCard';
import { LandingPageDialog } from './LandingPageDialog';
import { useReports } from './use-reports';
import { attributionVerdict, latest } from './verdicts';

type LandingPage = Schemas['LandingPageDto'];

/** The client's landing pages, and how a visit to one would be attributed. */
export function AttributionCard() {
  const t = useTranslations('admin.landingPages');
  const scope = useScope();
  const queries = useQueryClient();
  const { rows, pages } = useReports('landing-pages', async (params, signal) => {
    const page = await body(adminApi.GET('/admin/clients/{clientId}/landing-pages', { params, signal }));
    return { rows: page.landingPages, nextCursor: page.nextCursor };
  });
  const [isAdding, setAdding] = useState(false);
  const [tested, setTested] = useState<LandingPage | null>(null);
  const columns: TableColumn<LandingPage>[] = [
    {
      id: 'name',
      header: t('name'),
      kind: 'lead',
      cell: (page) => <TitleCell title={page.name} minor={page.url} />,
    },
    { id: 'slug', header: t('slug'), cell: (page) => <code>{page.slug}</code> },
    { id: 'created', header: t('created'), cell: (page) => <TimeCell at={page.createdAt} /> },
    {
      id: 'test',
      header: t('attribution'),
      align: 'end',
      cell: (page) => (
        <Button icon={<FlaskConical aria-hidden />} onPress={() => setTested(page)}>
          {t('test')}
        </Button>
      ),
    },
  ];
  return (
    <DiagnosticCard
      subject="attribution"
      icon={Route}
      verdict={rows && attributionVerdict(rows)}
      at={latest((rows ?? []).map(({ createdAt }) => createdAt))}
      error={pages.error}
      onRetry={() => void pages.refetch()}
    >
      <p>{t('text')}</p>
      {rows?.length !== 0 && (
        <Table label={t('title')} columns={columns} rows={rows} rowKey={({ slug }) => slug} />
      )}
      <LoadMore pages={pages} />
      {scope.can('diagnostics:manage') && (
        <div className={cardStyles.actions}>
          <Button icon={<Plus aria-hidden />} onPress={() => setAdding(true)}>
            {t('add')}
          </Button>
        </div>
      )}
      <LandingPageDialog
        isOpen={isAdding}
        onOpenChange={setAdding}
        onSaved={() => queries.invalidateQueries({ queryKey: scopeKey(scope, 'landing-pages') })}
      />
      {tested && <AttributionDialog page={tested} onClose={() => setTested(null)} />}
    </DiagnosticCard>
  );
}
