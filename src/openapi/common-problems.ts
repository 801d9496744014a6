import type { ProblemCode } from '../common/errors/catalogue.js';

/** A route as far as its common problems depend on it. */
export interface DescribedRoute {
  readonly method: string;
  /** @example "/admin/clients/{clientId}/assets" */
  readonly path: string;
  /** `public`, `authenticated` or a permission. */
  readonly permission: string;
  readonly hasBody: boolean;
}

/**
 * The problems that middleware, guards and pipes may answer before a handler runs, so that routes declare only their own. Public routes
 * declare `database_unavailable` themselves: some of them must answer without the database.
 */
export function commonProblems({ method, path, permission, hasBody }: DescribedRoute): ProblemCode[] {
  const isPublic = permission === 'public';
  const problems: [applies: boolean, ...codes: ProblemCode[]][] = [
    // Any address can carry a query that is refused, and any host name can be asked for.
    [true, 'validation_failed', 'host_not_allowed', 'internal_error'],
    [hasBody || path.includes('{'), 'malformed_request'],
    [hasBody, 'malformed_json', 'payload_too_large', 'unsupported_body'],
    [!isPublic, 'unauthenticated', 'database_unavailable'],
    [!isPublic && permission !== 'authenticated', 'permission_denied'],
    // A caller who is known by the cookie alone.
    [!isPublic && method !== 'get', 'origin_not_allowed'],
    [!isPublic && path.includes('{clientId}'), 'client_not_found'],
  ];
  return problems.flatMap(([applies, ...codes]) => (applies ? codes : []));
}
