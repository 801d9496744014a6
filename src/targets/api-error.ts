import type { OutboundResponse } from '../outbound/outbound-response.js';
import { plainText } from '../outbound/plain-text.js';
import { isRecord, readJson } from '../outbound/read-json.js';

export interface ApiError {
  readonly code: string;
  /** In the language of the target; truncated and without HTML. */
  readonly message: string;
}

/** The error that an API such as that of WordPress returned as JSON, or null if the response has another form. */
export function readApiError(response: Pick<OutboundResponse, 'body' | 'conceal'>): ApiError | null {
  const json = readJson(response.body);
  if (!isRecord(json) || typeof json['code'] !== 'string') return null;
  const message = typeof json['message'] === 'string' ? plainText(json['message'], response) : '';
  return { code: plainText(json['code'], response, 80), message };
}

/** Whether a web server in front of the API requires a password and consumes the `Authorization` header. */
export function isBehindSitePassword(response: OutboundResponse): boolean {
  const { status, headers } = response;
  return (
    status === 401 && /\bbasic\b/i.test(headers['www-authenticate'] ?? '') && readApiError(response) === null
  );
}
