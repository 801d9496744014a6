import type { Delivery, DeliveryStep } from '../database/entities/delivery.entity.js';

/**
 * - `retried`: a retry may succeed without any change.
 * - `final`: a retry would fail in the same way.
 * - `target`: so would every other delivery to the target.
 */
type Persistence = 'retried' | 'final' | 'target';

/** Every reason why a delivery can fail: what happened, and what to do about it. The texts appear in the `lastError` of a delivery. */
const DELIVERY_ERRORS = {
  asset_not_found: [
    'final',
    'The asset was deleted before it was sent.',
    'Restore the asset, then retry the delivery.',
  ],
  surface_not_allowed: [
    'final',
    'The asset may no longer be used there.',
    'Allow it there, then retry the delivery.',
  ],
  target_deleted: ['final', 'The destination was deleted.', 'Deliver the asset to another destination.'],
  credentials_unreadable: [
    'final',
    'The stored credentials cannot be decrypted.',
    'Restore the old SECRETS_KEY or enter the credentials again, then retry the delivery.',
  ],
  location_not_removable: [
    'final',
    'The video may say where it was recorded, and this cannot be removed.',
    'Export it again without its location and upload it.',
  ],
  media_invalid: [
    'final',
    'The file cannot be converted for this destination.',
    'Upload it again in another format.',
  ],
  target_address_not_allowed: [
    'target',
    'The address of the destination is not allowed.',
    'Create a new destination with a public address.',
  ],
  target_moved: [
    'target',
    'The destination redirects elsewhere.',
    'If that is the right place, create a new destination with that address.',
  ],
  credentials_refused: [
    'target',
    'The destination does not accept the credentials.',
    'Enter new credentials for the destination, then retry the delivery.',
  ],
  target_behind_password: [
    'target',
    'The site is protected with a password, as is common for staging sites.',
    'Remove the password or allow this server, then retry the delivery.',
  ],
  upload_not_permitted: [
    'target',
    'The destination does not allow the upload.',
    'Change its permissions, then retry the delivery.',
  ],
  target_rest_api_missing: [
    'target',
    'The REST API of the site has disappeared.',
    'Verify the destination, then retry the delivery.',
  ],
  file_too_large_for_target: [
    'final',
    'The file is larger than the destination accepts.',
    'Raise the limit, then retry the delivery, or deliver a smaller copy.',
  ],
  type_refused_by_target: [
    'final',
    'The destination does not accept this type of file.',
    'Deliver a resized copy, or another type of file.',
  ],
  target_refused: [
    'final',
    'The destination rejected the upload.',
    'Verify the destination, then retry the delivery.',
  ],
  target_endpoint_missing: [
    'retried',
    'There is no upload endpoint at the address of the destination.',
    'Verify the destination.',
  ],
  target_unverified: [
    'retried',
    'The REST API of the site has not been found yet.',
    'Verify the destination.',
  ],
  upload_refused_by_target: [
    'retried',
    'The destination could not store the file: its disk is full, its upload folder is not writable, or it does not accept the type.',
  ],
  checksum_mismatch: ['retried', 'The file arrived damaged.'],
  storage_unavailable: ['retried', 'The file could not be read from the object store.'],
  bucket_not_controlled: [
    'retried',
    'This installation does not control the bucket for now, so it sends nothing. See checks.control in /status.',
  ],
  server_busy: ['retried', 'The file could not be prepared in time.'],
  target_unreachable: ['retried', 'The destination cannot be reached.'],
  target_timeout: ['retried', 'The destination did not respond in time.'],
  target_maintenance: ['retried', 'The site is in maintenance mode.'],
  target_busy: ['retried', 'The destination is receiving too many requests.'],
  target_error: ['retried', 'The destination failed to process the upload.'],
  upload_unfinished: ['retried', 'The destination is still processing an earlier upload.'],
  internal_error: ['retried', 'Something went wrong on our side.'],
  interrupted: ['retried', 'The worker stopped before the delivery was complete.'],
} as const satisfies Record<string, readonly [Persistence, what: string, advice?: string]>;

export type DeliveryErrorCode = keyof typeof DELIVERY_ERRORS;

export interface DeliveryErrorOptions {
  /** What else is known about it, in sentences. */
  readonly more?: string;
  /** Whether the target may have stored the file anyway. */
  readonly ambiguous?: boolean;
  /** Whether the target responded with a page, so that its API may be elsewhere now. */
  readonly isPage?: boolean;
  /** The delay that the target requests. */
  readonly retryAfterSeconds?: number | null;
  readonly cause?: unknown;
}

/** Why an attempt to deliver failed. The texts can be shown: they contain no credentials and no page of the target. */
export class DeliveryError extends Error {
  /** What happened, without advice. */
  readonly reason: string;
  readonly ambiguous: boolean;
  readonly isPage: boolean;
  readonly retryAfterSeconds: number | null;

  constructor(
    readonly code: DeliveryErrorCode,
    readonly step: DeliveryStep,
    {
      more = '',
      ambiguous = false,
      isPage = false,
      retryAfterSeconds = null,
      cause,
    }: DeliveryErrorOptions = {},
  ) {
    const [, what, advice = ''] = DELIVERY_ERRORS[code];
    const reason = [what, more].filter(Boolean).join(' ');
    super([reason, advice].filter(Boolean).join(' '), { cause });
    this.name = 'DeliveryError';
    this.reason = reason;
    this.ambiguous = ambiguous;
    this.isPage = isPage;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether a retry would fail in the same way. */
  get isFinal(): boolean {
    return isFinal(this.code);
  }

  /** Whether every other delivery to the target would fail in the same way. */
  get isOfTarget(): boolean {
    return DELIVERY_ERRORS[this.code][0] === 'target';
  }
}

/** The stored error of a delivery, and what happens next; null if there is none. */
export function explanationOf({
  status,
  errorCode,
  errorDetail,
}: Pick<Delivery, 'status' | 'errorCode' | 'errorDetail'>): string | null {
  if (errorDetail === null) return null;
  if (status === 'queued') return `${errorDetail} It will be retried automatically.`;
  if (status !== 'failed') return errorDetail;
  return isFinal(errorCode ?? '')
    ? `${errorDetail} It will not be retried automatically.`
    : `${errorDetail} That was the last automatic attempt.`;
}

function isFinal(code: string): boolean {
  return Object.hasOwn(DELIVERY_ERRORS, code) && DELIVERY_ERRORS[code as DeliveryErrorCode][0] !== 'retried';
}
