import { webAddress } from '../common/http/web-address.js';
import type { OutboundHead, OutboundResponse } from '../outbound/outbound-response.js';
import { OutboundError, type OutboundErrorCode } from '../outbound/outbound-error.js';
import { plainText } from '../outbound/plain-text.js';
import { isBehindSitePassword, readApiError } from './api-error.js';
import { DeliveryError, type DeliveryErrorCode } from './delivery-error.js';
import { sizeText } from './size-text.rules.js';
import type { DeliveryStep } from '../database/entities/delivery.entity.js';

const MAX_RETRY_AFTER_SECONDS = 3_600;

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

/** What a target says about a response, as its kind understands it. */
export interface Reported {
  readonly message: string;
  /** Set if the target has processed the upload and stored nothing. */
  readonly rejection?: DeliveryErrorCode;
  /** What to say about an error instead of quoting the message, if that would mislead. */
  hint?(code: DeliveryErrorCode): string | undefined;
}

/**
 * The error for a response other than success. The body of a 5xx may contain stack traces and server paths, so only the message of a known
 * rejection is quoted, truncated and without HTML.
 */
export function errorOfResponse(
  response: OutboundResponse,
  { step, sizeBytes }: ResponseContext,
  reported: Reported | null = readApiError(response),
): DeliveryError {
  const { status, headers } = response;
  const isRejection = reported?.rejection !== undefined;
  const code = reported?.rejection ?? codeOf(response);
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
    ambiguous: step === 'upload' && status >= 500 && !isRejection,
    isPage: reported === null && (code === 'target_moved' || [404, 405, 410].includes(status)),
    retryAfterSeconds: isRejection ? null : retryAfter(headers['retry-after']),
  });
}

function codeOf(response: OutboundResponse): DeliveryErrorCode {
  const { status } = response;
  if (status >= 300 && status < 400) return 'target_moved';
  if (isBehindSitePassword(response)) return 'target_behind_password';
  return STATUS_CODES[status] ?? (status >= 500 ? 'target_error' : 'target_refused');
}

function moreOf(
  code: DeliveryErrorCode,
  response: OutboundResponse,
  reported: Reported | null,
): string | undefined {
  const { status } = response;
  if (code === 'target_moved') return `It redirects to ${originOf(response)}.`;
  if (code === 'target_behind_password') return undefined;
  const hint = reported?.hint?.(code);
  if (hint !== undefined) return hint;
  if (code === 'upload_not_permitted' && reported === null)
    return 'A firewall or security plugin may block it.';
  const message = quoted(reported?.message);
  if (code === 'file_too_large_for_target') return message;
  return (
    (status < 500 || reported?.rejection !== undefined ? message : undefined) ??
    `It responded with status ${status}.`
  );
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
