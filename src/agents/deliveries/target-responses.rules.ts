import { webAddress } from '../../common/http/web-address.js';
import type { OutboundHead, OutboundResponse } from '../../outbound/outbound-client.js';
import { OutboundError, type OutboundErrorCode } from '../../outbound/outbound-error.js';
import { plainText } from '../../outbound/plain-text.js';
import { isBehindSitePassword, readWordPressError } from '../targets/wordpress-rest.js';
import { DeliveryError, type DeliveryErrorCode } from './delivery-error.js';
import type { DeliveryStep } from '../../database/entities/delivery.entity.js';

const MAX_RETRY_AFTER_SECONDS = 3_600;

/** For WordPress, by the `code` in its response. */
const WORDPRESS_CODES = new Map<string, DeliveryErrorCode>(
  Object.entries({
    // A form larger than `post_max_size` arrives without its fields and its file.
    rest_upload_no_content_disposition: 'file_too_large_for_target',
    rest_upload_no_data: 'file_too_large_for_target',
    rest_upload_file_too_big: 'file_too_large_for_target',
    rest_upload_limited_space: 'file_too_large_for_target',
    rest_upload_image_type_not_supported: 'type_refused_by_target',
    rest_upload_hash_mismatch: 'checksum_mismatch',
    rest_upload_unknown_error: 'upload_refused_by_target',
  } as const),
);

/** For a 403 that does not come from WordPress. */
const BLOCKED = 'A firewall or security plugin may block uploads.';

const STATUS_CODES: Partial<Record<number, DeliveryErrorCode>> = {
  401: 'credentials_refused',
  403: 'upload_not_permitted',
  404: 'target_endpoint_missing',
  408: 'target_timeout',
  410: 'target_endpoint_missing',
  412: 'checksum_mismatch',
  413: 'file_too_large_for_target',
  415: 'type_refused_by_target',
  425: 'target_busy',
  429: 'target_busy',
  503: 'target_maintenance',
};

/**
 * The error for a response other than success. The body of a 5xx may contain stack traces and server paths, so only the message of a known
 * rejection is quoted, truncated and without HTML.
 */
export function errorOfResponse(response: OutboundResponse, step: DeliveryStep): DeliveryError {
  const { status, headers } = response;
  const reported = readWordPressError(response);
  const known = reported === null ? undefined : WORDPRESS_CODES.get(reported.code);
  if (known === 'upload_refused_by_target' && reported!.message.includes('upload_max_filesize'))
    return new DeliveryError('file_too_large_for_target', step);
  if (known !== undefined) return new DeliveryError(known, step, { more: quoted(reported!.message) });
  if (status >= 300 && status < 400)
    return new DeliveryError('target_moved', step, {
      more: `It redirects to ${originOf(response)}.`,
    });
  if (isBehindSitePassword(response)) return new DeliveryError('target_behind_password', step);
  if (status === 403 && reported === null)
    return new DeliveryError('upload_not_permitted', step, { more: BLOCKED });
  const code = STATUS_CODES[status] ?? (status >= 500 ? 'target_error' : 'target_refused');
  const more = (status < 500 && quoted(reported?.message)) || `It responded with status ${status}.`;
  // A proxy may time out although the site continues and stores the file.
  const ambiguous = step === 'upload' && status >= 500;
  return new DeliveryError(code, step, {
    ambiguous,
    retryAfterSeconds: retryAfter(headers['retry-after']),
    more,
  });
}

const FAILURE_CODES: Partial<Record<OutboundErrorCode, DeliveryErrorCode>> = {
  address_refused: 'target_address_not_allowed',
  timeout: 'target_timeout',
  body_failed: 'storage_unavailable',
  aborted: 'interrupted',
};

/** The error for a request without a complete response. */
export function errorOfFailure(error: unknown, step: DeliveryStep): DeliveryError {
  if (error instanceof DeliveryError) return error;
  if (!(error instanceof OutboundError)) throw error;
  const code = FAILURE_CODES[error.code] ?? 'target_unreachable';
  const isTargets = code === 'target_unreachable' || code === 'target_address_not_allowed';
  return new DeliveryError(code, step, {
    ambiguous: step === 'upload' && error.ambiguous,
    more: isTargets ? error.message : undefined,
    cause: error,
  });
}

export function textOf(value: unknown, name: string): string {
  if (typeof value !== 'object' || value === null) return '';
  const member = (value as Record<string, unknown>)[name];
  return typeof member === 'string' ? member : '';
}

/** An address that can be stored and shown as a link; null for anything else, and for one that contains our credentials. */
export function remoteAddress(
  text: string,
  { conceal }: Pick<OutboundHead, 'conceal'>,
  base?: string,
): string | null {
  const address = webAddress(text, base);
  return address !== null && conceal(address) === address ? address : null;
}

/** In seconds, from either form of the header, at most one hour. */
export function retryAfter(header: string | undefined, now = Date.now()): number | null {
  if (header === undefined) return null;
  const seconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000;
  if (!Number.isFinite(seconds)) return null;
  return Math.min(Math.max(Math.ceil(seconds), 0), MAX_RETRY_AFTER_SECONDS);
}

function quoted(message = ''): string | undefined {
  return message === '' ? undefined : `Its message: ${message}`;
}

function originOf(response: OutboundResponse): string {
  const location = response.headers['location'] ?? '';
  return URL.canParse(location) ? plainText(new URL(location).origin, response) : 'another address';
}
