import { type ClientWording, wordingForClients } from '../../api/client-wording';
import type { UploadStep } from './types';

/** Why an upload failed. The catalogue contains a text with the remedy for each. */
export type FailureReason =
  | 'empty_file'
  | 'file_unreadable'
  | 'file_too_large'
  | 'unsupported_type'
  | 'content_mismatch'
  | 'media_invalid'
  | 'size_mismatch'
  | 'folder_refused'
  | 'folder_missing'
  | 'storage_not_configured'
  | 'storage_unavailable'
  | 'storage_forbidden'
  | 'storage_bucket'
  | 'storage_read_only'
  | 'put_forbidden'
  | 'put_refused'
  | 'cross_origin'
  | 'store_unreachable'
  | 'too_many_sessions'
  | 'session_lost'
  | 'permission_denied'
  | 'signed_out'
  | 'finalize_slow'
  | 'server_error'
  | 'refused';

export interface FailureFacts {
  /** The problem's, if the API rejected the request. */
  readonly code?: string;
  readonly detail?: string;
  readonly requestId?: string | null;
  readonly status?: number;
  /** The origin of this page, or of the object store. */
  readonly origin?: string;
}

export class UploadFailure extends Error {
  override readonly name = 'UploadFailure';

  constructor(
    readonly step: UploadStep,
    readonly reason: FailureReason,
    readonly facts: FailureFacts = {},
  ) {
    super(`${step}: ${reason}`);
  }

  /** The file itself is invalid, so sending it again would fail in the same way. */
  get isFinal(): boolean {
    return FINAL.has(this.reason);
  }

  /** Every other file would fail for the same reason, so the others wait. */
  get concernsAll(): boolean {
    return CONCERNS_ALL.has(this.reason);
  }
}

const FINAL: ReadonlySet<FailureReason> = new Set<FailureReason>([
  'empty_file',
  'file_too_large',
  'unsupported_type',
  'content_mismatch',
  'media_invalid',
]);

const CONCERNS_ALL: ReadonlySet<FailureReason> = new Set<FailureReason>([
  'storage_not_configured',
  'storage_unavailable',
  'storage_forbidden',
  'storage_bucket',
  'storage_read_only',
  'put_forbidden',
  'cross_origin',
  'store_unreachable',
  'permission_denied',
  'signed_out',
]);

/** What a client's own users read instead of the text of the reason; null if that speaks to them. */
export function wordingOfFailure({
  reason,
  facts: { code, status = 0 },
}: UploadFailure): ClientWording | null {
  return code === undefined ? (WITHOUT_PROBLEM[reason] ?? null) : wordingForClients({ code, status });
}

/** Reasons that the page itself finds. */
const WITHOUT_PROBLEM: Partial<Record<FailureReason, ClientWording>> = {
  cross_origin: 'unreachable',
  store_unreachable: 'unreachable',
  put_forbidden: 'storage',
  put_refused: 'storage',
  server_error: 'unexpected',
};

/** The API's problem document, as the client throws it; status 0 if there was no response. */
export interface ProblemLike {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly title: string;
  readonly requestId: string | null;
  /** Seconds. */
  readonly retryAfter: number | null;
}

export function asProblem(error: unknown): ProblemLike | null {
  const problem = error as ProblemLike | null;
  return typeof problem?.code === 'string' && problem.status > 0 ? problem : null;
}

const BY_CODE: Readonly<Record<string, FailureReason>> = {
  file_too_large: 'file_too_large',
  unsupported_media_type: 'unsupported_type',
  content_mismatch: 'content_mismatch',
  media_invalid: 'media_invalid',
  size_mismatch: 'size_mismatch',
  checksum_mismatch: 'size_mismatch',
  upload_incomplete: 'size_mismatch',
  folder_not_found: 'folder_missing',
  folder_name_taken: 'folder_refused',
  folder_too_deep: 'folder_refused',
  too_many_folders: 'folder_refused',
  storage_not_configured: 'storage_not_configured',
  storage_unavailable: 'storage_unavailable',
  storage_forbidden: 'storage_forbidden',
  storage_bucket_missing: 'storage_bucket',
  bucket_belongs_to_another_installation: 'storage_bucket',
  storage_read_only: 'storage_read_only',
  too_many_open_sessions: 'too_many_sessions',
  upload_session_not_found: 'session_lost',
  upload_session_expired: 'session_lost',
  upload_session_closed: 'session_lost',
  permission_denied: 'permission_denied',
  unauthenticated: 'signed_out',
  finalize_in_progress: 'finalize_slow',
};

/** Maps a permanently failed request to a reason for the user. */
export function failureOf(step: UploadStep, error: unknown): UploadFailure {
  if (error instanceof UploadFailure) return error;
  const problem = asProblem(error);
  if (!problem) return new UploadFailure(step, 'server_error');
  const { code, status, detail, title, requestId } = problem;
  const facts = { code, status, detail: detail || title, requestId };
  if (step === 'folder' && code === 'validation_failed')
    return new UploadFailure(step, 'folder_refused', facts);
  return new UploadFailure(step, BY_CODE[code] ?? (status >= 500 ? 'server_error' : 'refused'), facts);
}
