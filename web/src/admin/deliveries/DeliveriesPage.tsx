import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Search, Send } from 'lucide-react';
import { useScope } from '../../scope/scope';
import { DELIVERY_STATES, type DeliveriesSearch } from './deliveries-search';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { Select } from '../../ui/Select';
import { AdminPage } from '../shared/AdminPage';
import { LoadMore } from '../shared/LoadMore';
import { targetsQuery } from '../targets/targets-query';
import { deliveriesQuery, type DeliveryStatus } from './deliveries-query';
import { DeliveriesTable } from './DeliveriesTable';

const ANY = 'any';

export function DeliveriesPage() {
  const t = useTranslations('admin.deliveries');
  const stateName = useTranslations('admin.states');
  const scope = useScope();
  const filter: DeliveriesSearch = useSearch({ from: '/app/clients/$clientId/deliveries' });
  const navigate = useNavigate({ from: '/clients/$clientId/deliveries' });
  const setFilter = (change: DeliveriesSearch) =>
    void navigate({ search: { ...filter, ...change }, replace: true });
  const deliveries = useInfiniteQuery(deliveriesQuery(scope, filter));
  const { data: targets = [] } = useQuery(targetsQuery(scope));
  const rows = deliveries.data?.pages.flatMap((page) => page.deliveries);
  const isFiltered = filter.status !== undefined || filter.target !== undefined;
  const hasFilters = isFiltered || (rows !== undefined && rows.length > 0);
  return (
    <AdminPage
      title={t('title')}
      description={t('description')}
      filters={
        hasFilters && (
          <>
            <Select<DeliveryStatus | typeof ANY>
              label={t('status')}
              isLabelHidden
              variant="quiet"
              value={filter.status ?? ANY}
              onChange={(status) => setFilter({ status: status === ANY ? undefined : status })}
              options={[
                { id: ANY, label: t('anyStatus') },
                ...DELIVERY_STATES.map((status) => ({ id: status, label: stateName(status) })),
              ]}
            />
            <Select
              label={t('target')}
              isLabelHidden
              variant="quiet"
              value={filter.target ?? ANY}
              onChange={(target) => setFilter({ target: target === ANY ? undefined : target })}
              options={[
                { id: ANY, label: t('anyTarget') },
                ...targets.map(({ targetId, name }) => ({ id: targetId, label: name })),
              ]}
            />
          </>
        )
      }
    >
      {deliveries.error ? (
        <ErrorState error={deliveries.error} onRetry={() => void deliveries.refetch()} />
      ) : rows?.length !== 0 ? (
        <DeliveriesTable deliveries={rows} targets={targets} />
      ) : isFiltered ? (
        <EmptyState
          icon={<Search />}
          title={t('noneFound')}
          action={
            <Button onPress={() => setFilter({ status: undefined, target: undefined })}>
              {t('clearFilters')}
            </Button>
          }
        />
      ) : (
        <EmptyState
          icon={<Send />}
          title={t('empty')}
          action={
            <ButtonLink
              variant="primary"
              href={`/clients/${scope.clientId}/${targets.length > 0 ? 'assets' : 'targets'}`}
            >
              {targets.length > 0 ? t('openAssets') : t('openTargets')}
            </ButtonLink>
          }
        >
          {targets.length > 0 ? t('emptyText') : t('emptyNoTargets')}
        </EmptyState>
      )}
      <LoadMore pages={deliveries} />
    </AdminPage>
  );
}
