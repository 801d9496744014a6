import type { OutboundHead } from './outbound-response.js';

const MESSAGES = {
  address_refused: 'The address is not allowed.',
  dns_failed: 'The host name could not be resolved.',
  connect_failed: 'The connection could not be established.',
  tls_failed: 'A secure connection could not be established.',
  timeout: 'The server did not respond in time.',
  connection_lost: 'The connection was lost before the response was complete.',
  bad_response: 'The response is not valid HTTP.',
  response_too_large: 'The response is too large.',
  body_failed: 'The request body could not be read to its end.',
  aborted: 'The request was cancelled.',
} as const;

export type OutboundErrorCode = keyof typeof MESSAGES;

export interface OutboundErrorOptions {
  /** More detail than the code, in a sentence that can be shown. */
  readonly reason?: string;
  readonly ambiguous?: boolean;
  readonly response?: OutboundHead | null;
  readonly cause?: unknown;
}

/** A request without a complete response. The message contains neither the URL nor anything that was sent. */
export class OutboundError extends Error {
  /** Whether the server may have received the request, or a part of it, and may have acted on it. */
  readonly ambiguous: boolean;
  /** Set if the response ended early, after its headers. */
  readonly response: OutboundHead | null;

  constructor(
    readonly code: OutboundErrorCode,
    { reason, ambiguous = false, response = null, cause }: OutboundErrorOptions = {},
  ) {
    super(reason ?? MESSAGES[code], { cause });
    this.name = 'OutboundError';
    this.ambiguous = ambiguous;
    this.response = response;
  }
}

const NETWORK_CODES = new Set([
  'EACCES',
  'EADDRNOTAVAIL',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'EPERM',
  'EPIPE',
]);
const TIMEOUT_CODES = new Set([
  'ETIMEDOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
]);

/** Maps an error of undici or of the socket. `connected`: the request was sent or about to be sent. */
export function codeOfFailure(error: unknown, connected: boolean): OutboundErrorCode {
  const { code = '', name = '' } = error as { code?: string; name?: string };
  if (TIMEOUT_CODES.has(code)) return 'timeout';
  if (!connected) return NETWORK_CODES.has(code) || code === '' ? 'connect_failed' : 'tls_failed';
  if (name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW') return 'bad_response';
  if (code === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH' || code === 'UND_ERR_ABORTED') return 'body_failed';
  return 'connection_lost';
}
