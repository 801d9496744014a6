import type { Messages } from '../i18n/messages';

/** What a client's own users read instead of the words for operators: `ui.forClients` in the catalogue. */
export type ClientWording = keyof Messages['ui']['forClients'];

const BY_CODE: Readonly<Record<string, ClientWording>> = {
  unreachable: 'unreachable',
  permission_denied: 'denied',
  database_unavailable: 'busy',
  query_too_expensive: 'busy',
  server_busy: 'busy',
  shutting_down: 'busy',
  storage_unavailable: 'busy',
  storage_not_configured: 'storage',
  storage_forbidden: 'storage',
  storage_bucket_missing: 'storage',
  bucket_belongs_to_another_installation: 'storage',
  // Faults of a page or a proxy, not of the user.
  unknown: 'unexpected',
  client_not_found: 'unexpected',
  host_not_allowed: 'unexpected',
  malformed_json: 'unexpected',
  malformed_request: 'unexpected',
  method_not_allowed: 'unexpected',
  origin_not_allowed: 'unexpected',
  payload_too_large: 'unexpected',
  range_not_satisfiable: 'unexpected',
  refresh_token_invalid: 'unexpected',
  route_not_found: 'unexpected',
  unsupported_body: 'unexpected',
};

/** Null if the problem's own title and detail speak to the user, as those about a file or a folder do. */
export function wordingForClients({ code, status }: { code: string; status: number }): ClientWording | null {
  return BY_CODE[code] ?? (status >= 500 ? 'unexpected' : null);
}
