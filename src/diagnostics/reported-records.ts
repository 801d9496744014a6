import { hasAccessTo } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import type { ProblemCode } from '../common/errors/catalogue.js';
import { Problem } from '../common/errors/problem.js';
import { CLIENT_ID_PATTERN } from '../common/ids.js';
import type { RecordQuery } from './record.query.js';

/** How many clients a `client_required` problem lists. */
export const MAX_MATCHES = 100;

/** Null means all. */
export type ClientIds = readonly string[] | null;

/** Reported records are named by the reporter, with the same rules as client ids, and unique per client. */
export function requireRecordId(field: string, id: string): void {
  if (!CLIENT_ID_PATTERN.test(id)) throw Problem.validation(field, 'must be 1–64 letters, digits, _ or -');
}

/** The clients in which a caller may look for a record. */
export function clientsToSearch(actor: Principal, { clientId }: RecordQuery): ClientIds {
  if (clientId === undefined) return actor.clientIds;
  return hasAccessTo(actor, clientId) ? [clientId] : [];
}

export function onlyMatch<T extends { clientId: string }>(matches: readonly T[], notFound: ProblemCode): T {
  const [match] = matches;
  if (match === undefined) throw new Problem(notFound);
  if (matches.length > 1)
    throw new Problem('client_required', 'Name the client in the query parameter clientId.', {
      extra: { clientIds: matches.map(({ clientId }) => clientId) },
    });
  return match;
}
