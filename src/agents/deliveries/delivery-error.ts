import type { DeliveryStep } from '../../database/entities/delivery.entity.js';

/**
 * Every reason why a delivery can fail: whether a retry may succeed without any change, and the text. The texts explain
 * what to do and appear in the `lastError` of a delivery.
 */
const DELIVERY_ERRORS = {
  asset_not_found: ['final', 'The asset was deleted before it was sent.'],
  surface_not_allowed: ['final', 'The asset is no longer allowed on this surface.'],
  target_deleted: ['final', 'The target was deleted.'],
  credentials_unreadable: [
    'final',
    'The stored credentials cannot be decrypted. Restore the old SECRETS_KEY or enter the credentials again.',
  ],
  media_invalid: ['final', 'The file cannot be converted for this target.'],
  target_address_not_allowed: ['final', 'The address of the target is not allowed.'],
  target_moved: ['final', 'The target redirects elsewhere. Create a new target with that address.'],
  credentials_refused: [
    'final',
    'The target does not accept the credentials. Enter them again and verify the target.',
  ],
  target_behind_password: [
    'final',
    'The site is protected with a password, as is common for staging sites. Remove it or allow this server.',
  ],
  upload_not_permitted: [
    'final',
    'The account is not allowed to upload files. Give it a role that can upload, such as Author.',
  ],
  file_too_large_for_target: [
    'final',
    'The file is larger than the target accepts. Raise its limit or deliver a smaller rendition.',
  ],
  type_refused_by_target: [
    'final',
    'The target does not accept this type of file. Deliver another rendition.',
  ],
  target_refused: ['final', 'The target rejected the upload.'],
  target_endpoint_missing: [
    'retried',
    'There is no upload endpoint at the address of the target. Verify the target.',
  ],
  target_unverified: ['retried', 'The REST API of the site has not been found yet. Verify the target.'],
  upload_refused_by_target: [
    'retried',
    'The target could not store the file: its disk is full, its upload folder is not writable, or it does not accept the type.',
  ],
  checksum_mismatch: ['retried', 'The file arrived damaged.'],
  storage_unavailable: ['retried', 'The file could not be read from the object store.'],
  server_busy: ['retried', 'The file could not be prepared in time.'],
  target_unreachable: ['retried', 'The target cannot be reached.'],
  target_timeout: ['retried', 'The target did not respond in time.'],
  target_maintenance: ['retried', 'The site is in maintenance mode.'],
  target_busy: ['retried', 'The target is receiving too many requests.'],
  target_error: ['retried', 'The target failed to process the upload.'],
  upload_unfinished: ['retried', 'The target is still processing an earlier upload.'],
  internal_error: ['retried', 'Something went wrong on our side.'],
  interrupted: ['retried', 'The worker stopped before the delivery was complete.'],
} as const satisfies Record<string, readonly [persistence: 'final' | 'retried', text: string]>;

export type DeliveryErrorCode = keyof typeof DELIVERY_ERRORS;

export interface DeliveryErrorOptions {
  /** Appended to the text of the code. */
  readonly more?: string;
  /** Whether the target may have stored the file anyway. */
  readonly ambiguous?: boolean;
  /** The delay that the target requests. */
  readonly retryAfterSeconds?: number | null;
  readonly cause?: unknown;
}

/** Why an attempt to deliver failed. The message can be shown: it contains no credentials and no page of the target. */
export class DeliveryError extends Error {
  readonly ambiguous: boolean;
  readonly retryAfterSeconds: number | null;

  constructor(
    readonly code: DeliveryErrorCode,
    readonly step: DeliveryStep,
    { more, ambiguous = false, retryAfterSeconds = null, cause }: DeliveryErrorOptions = {},
  ) {
    const text = DELIVERY_ERRORS[code][1];
    super(more ? `${text} ${more}` : text, { cause });
    this.name = 'DeliveryError';
    this.ambiguous = ambiguous;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether a retry would fail in the same way. */
  get isFinal(): boolean {
    return DELIVERY_ERRORS[this.code][0] === 'final';
  }
}
