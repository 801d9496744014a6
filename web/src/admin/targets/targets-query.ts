import { queryOptions } from '@tanstack/react-query';
import { adminApi, body, type Schemas } from '../../api/client';
import { scopeKey, type Scope } from '../../scope/scope';

export type Target = Schemas['TargetDto'];
export type Diagnosis = Schemas['DiagnosisDto'];

/** A client has few targets, so one page contains all of them. */
export const targetsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: scopeKey(scope, 'targets'),
    queryFn: async ({ signal }) => {
      const params = { path: { clientId: scope.clientId }, query: { limit: 200 } };
      return (await body(adminApi.GET('/admin/clients/{clientId}/targets', { params, signal }))).targets;
    },
  });
