import { infiniteQueryOptions } from '@tanstack/react-query';
import { adminApi, body, type Schemas } from '../../api/client';
import type { DeliveriesSearch } from './deliveries-search';
import { scopeKey, type Scope } from '../../scope/scope';

export type Delivery = Schemas['DeliveryDto'];
export type DeliveryStatus = Delivery['status'];

const POLL_MS = 4_000;

/** Polls while deliveries are in progress, in case no events arrive. */
export const deliveriesQuery = (scope: Scope, { status, target }: DeliveriesSearch) =>
  infiniteQueryOptions({
    queryKey: scopeKey(scope, 'deliveries', { status, target }),
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 25, cursor: pageParam, status, targetId: target };
      const params = { path: { clientId: scope.clientId }, query };
      return body(adminApi.GET('/admin/clients/{clientId}/deliveries', { params, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.deliveries.some(isOpen)) ? POLL_MS : false,
  });

export const isOpen = ({ status }: Delivery) => status === 'queued' || status === 'running';
