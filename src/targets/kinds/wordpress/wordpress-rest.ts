import type { OutboundResponse } from '../../../outbound/outbound-client.js';
import { plainText } from '../../../outbound/plain-text.js';
import { isRecord, readJson } from '../../../outbound/read-json.js';

/** The address of a REST route. With plain permalinks, the route is a query parameter of the root. */
export function restUrl(root: string, route: string, query: Readonly<Record<string, string>> = {}): string {
  const url = new URL(root);
  const plain = url.searchParams.get('rest_route');
  if (plain === null) url.pathname = withSlash(url.pathname) + route;
  else url.searchParams.set('rest_route', withSlash(plain) + route);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  // Readable in the site's logs, and some firewalls reject encoded slashes.
  url.search = url.search.replaceAll('%2F', '/');
  return url.href;
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

export interface WordPressError {
  readonly code: string;
  /** In the language of the site; truncated and without HTML. */
  readonly message: string;
}

/** The error that WordPress returned, or null if the response does not come from WordPress. */
export function readWordPressError(
  response: Pick<OutboundResponse, 'body' | 'conceal'>,
): WordPressError | null {
  const json = readJson(response.body);
  if (!isRecord(json) || typeof json['code'] !== 'string') return null;
  const message = typeof json['message'] === 'string' ? plainText(json['message'], response) : '';
  return { code: plainText(json['code'], response, 80), message };
}

/** Whether the web server in front of WordPress requires a password and consumes the `Authorization` header. */
export function isBehindSitePassword(response: OutboundResponse): boolean {
  const { status, headers } = response;
  return (
    status === 401 &&
    /\bbasic\b/i.test(headers['www-authenticate'] ?? '') &&
    readWordPressError(response) === null
  );
}
