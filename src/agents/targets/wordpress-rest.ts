import type { OutboundResponse } from '../../outbound/outbound-client.js';
import { plainText } from '../../outbound/plain-text.js';

/** Positions at which JSON may begin after PHP warnings. Limits the work that a malicious response can cause. */
const MAX_STARTS = 20;

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

/** Parses the JSON of a response, also after PHP warnings. Undefined if there is none. */
export function readJson(body: Buffer): unknown {
  const text = body.toString();
  const whole = parse(text);
  if (whole !== undefined) return whole;
  let start = -1;
  for (let tried = 0; tried < MAX_STARTS; tried++) {
    start = nextStart(text, start + 1);
    if (start < 0) return undefined;
    const value = parse(text.slice(start));
    if (value !== undefined) return value;
  }
  return undefined;
}

function nextStart(text: string, from: number): number {
  const offset = text.slice(from).search(/\{"|\{\}|\[[\]{"]/);
  return offset < 0 ? -1 : from + offset;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
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

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
