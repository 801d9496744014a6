import type { ProblemCode } from '../common/errors/catalogue.js';

/** The properties of a route that determine its common problems. */
export interface DescribedRoute {
  readonly method: string;
  /** @example "/admin/clients/{clientId}/assets" */
  readonly path: string;
  /** `public`, `authenticated` or a permission. */
  readonly permission: string;
  readonly hasBody: boolean;
}

/**
 * The problems that middleware, guards and pipes can return before a handler runs, so that routes only declare their own. Public routes
 * declare `database_unavailable` themselves, because some of them must work without the database.
 */
export function commonProblems({ method, path, permission, hasBody }: DescribedRoute): ProblemCode[] {
  const isPublic = permission === 'public';
  const problems: [applies: boolean, ...codes: ProblemCode[]][] = [
    // Every route can receive an invalid query or a wrong host name.
    [true, 'validation_failed', 'host_not_allowed', 'internal_error'],
    [hasBody || path.includes('{'), 'malformed_request'],
    [hasBody, 'malformed_json', 'payload_too_large', 'unsupported_body'],
    // Pickers also get it from routes that require no permission.
    [!isPublic, 'unauthenticated', 'permission_denied', 'database_unavailable'],
    // A caller who is authenticated only by the cookie.
    [!isPublic && method !== 'get', 'origin_not_allowed'],
    [!isPublic && path.includes('{clientId}'), 'client_not_found'],
  ];
  return problems.flatMap(([applies, ...codes]) => (applies ? codes : []));
}
