import type { Messages } from '../i18n/messages';

/** What a client's own users read instead of the words for operators: `ui.forClients` in the catalogue. */
export type ClientWording = keyof Messages['ui']['forClients'];

/** How codes begin that name faults of a page or a proxy, not of the user. */
const FAULT = /^(unknown|client_not|malformed|host|origin|payload|picker|range|refresh|unsupported_body)/;

/** Null if the problem's own title and detail speak to the user, as those about a file or a folder do. */
export function wordingForClients({ code, status }: { code: string; status: number }): ClientWording | null {
  if (status === 0) return 'unreachable';
  if (code === 'permission_denied') return 'denied';
  if (/^(storage|bucket)_(?!unavailable|read_only)/.test(code)) return 'storage';
  if (status === 503) return 'busy';
  return status >= 500 || FAULT.test(code) ? 'unexpected' : null;
}
