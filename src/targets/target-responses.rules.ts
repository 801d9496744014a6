import { webAddress } from '../common/http/web-address.js';
import type { OutboundHead, OutboundResponse } from '../outbound/outbound-client.js';
import { OutboundError, type OutboundErrorCode } from '../outbound/outbound-error.js';
import { plainText } from '../outbound/plain-text.js';
import { isBehindSitePassword, readWordPressError, type WordPressError } from './kinds/wordpress/wordpress-rest.js';
import { DeliveryError, type DeliveryErrorCode } from './delivery-error.js';
import { sizeText } from './kinds/wordpress/wordpress-text.rules.js';
import type { DeliveryStep } from '../database/entities/delivery.entity.js';

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

/** For responses whose own message would mislead. */
const HINTS = {
  revoked: 'The application password may have been revoked.',
  role: 'The user needs a role that can upload files, such as Author.',
  firewall: 'A firewall or security plugin may block it.',
  postMaxSize: 'The limit is post_max_size in the PHP configuration of the site.',
  uploadMaxFilesize: 'The limit is upload_max_filesize in the PHP configuration of the site.',
};
const PERMISSION_CODES = [
  'rest_cannot_create',
  'rest_forbidden',
  'rest_forbidden_context',
  'rest_not_logged_in',
];
const POST_MAX_SIZE_CODES = ['rest_upload_no_content_disposition', 'rest_upload_no_data'];

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

/** What a response is about. `sizeBytes`: of the file that was sent. */
export interface ResponseContext {
  readonly step: DeliveryStep;
  readonly sizeBytes?: number;
}

/**
 * The error for a response other than success. The body of a 5xx may contain stack traces and server paths, so only the message of a known
 * rejection is quoted, truncated and without HTML.
 */
export function errorOfResponse(
  response: OutboundResponse,
  { step, sizeBytes }: ResponseContext,
): DeliveryError {
  const { status, headers } = response;
  const reported = readWordPressError(response);
  const code = codeOf(response, reported);
  return new DeliveryError(code, step, {
    more: [
      code === 'file_too_large_for_target' &&
        sizeBytes !== undefined &&
        `The file is ${sizeText(sizeBytes)}.`,
      moreOf(code, response, reported),
    ]
      .filter(Boolean)
      .join(' '),
    // A proxy may time out although the site continues and stores the file.
    ambiguous: step === 'upload' && status >= 500 && !isRejection(reported),
    isPage: reported === null && (code === 'target_moved' || [404, 405, 410].includes(status)),
    retryAfterSeconds: isRejection(reported) ? null : retryAfter(headers['retry-after']),
  });
}

function codeOf(response: OutboundResponse, reported: WordPressError | null): DeliveryErrorCode {
  const { status } = response;
  const known = reported === null ? undefined : WORDPRESS_CODES.get(reported.code);
  if (known === 'upload_refused_by_target' && reported!.message.includes('upload_max_filesize'))
    return 'file_too_large_for_target';
  if (known !== undefined) return known;
  if (status >= 300 && status < 400) return 'target_moved';
  if (isBehindSitePassword(response)) return 'target_behind_password';
  return STATUS_CODES[status] ?? (status >= 500 ? 'target_error' : 'target_refused');
}

/** Whether WordPress has processed the upload and stored nothing. */
function isRejection(reported: WordPressError | null): boolean {
  return reported !== null && WORDPRESS_CODES.has(reported.code);
}

function moreOf(
  code: DeliveryErrorCode,
  response: OutboundResponse,
  reported: WordPressError | null,
): string | undefined {
  const { status } = response;
  const isPermission = PERMISSION_CODES.includes(reported?.code ?? '');
  if (code === 'target_moved') return `It redirects to ${originOf(response)}.`;
  if (code === 'target_behind_password') return undefined;
  if (code === 'credentials_refused' && isPermission) return HINTS.revoked;
  if (code === 'upload_not_permitted' && isPermission) return HINTS.role;
  if (code === 'upload_not_permitted' && reported === null) return HINTS.firewall;
  if (code === 'file_too_large_for_target') {
    if (POST_MAX_SIZE_CODES.includes(reported?.code ?? '')) return HINTS.postMaxSize;
    if (reported?.message.includes('upload_max_filesize')) return HINTS.uploadMaxFilesize;
    return quoted(reported?.message);
  }
  const message = isRejection(reported) || status < 500 ? quoted(reported?.message) : undefined;
  return message ?? `It responded with status ${status}.`;
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
  return message === '' ? undefined : `Its message: “${message.replace(/\.$/, '')}”.`;
}

function originOf(response: OutboundResponse): string {
  const location = response.headers['location'] ?? '';
  return URL.canParse(location) ? plainText(new URL(location).origin, response) : 'another address';
}
