import type { ProblemCode } from '../common/errors/catalogue.js';
import { Problem } from '../common/errors/problem.js';

/** How any access to the object store can fail; for the OpenAPI document. */
export const STORAGE_PROBLEMS = [
  'storage_not_configured',
  'storage_unavailable',
  'storage_forbidden',
  'storage_bucket_missing',
] as const satisfies ProblemCode[];

const RETRY_AFTER_SECONDS = 5;
const READ_ONLY_RETRY_SECONDS = 300;

export function storageNotConfigured(missing: readonly string[]): Problem {
  return new Problem(
    'storage_not_configured',
    `Storage settings are missing: ${missing.join(', ')}. The API server must be restarted after they are set.`,
    { extra: { missing } },
  );
}

/** By configuration (`STORAGE_READ_ONLY`). */
export function storageIsReadOnly(): Problem {
  return new Problem(
    'storage_read_only',
    'The object store is read-only for now (STORAGE_READ_ONLY), so nothing can be uploaded.',
    { retryAfter: READ_ONLY_RETRY_SECONDS },
  );
}

/** Maps an error of the store, in the wording of the specification's error table (section 7). */
export function storageProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const options = { retryAfter: RETRY_AFTER_SECONDS, cause: error };
  if (nameOf(error) === 'NoSuchBucket') {
    return new Problem(
      'storage_bucket_missing',
      'Storage credentials or bucket name are wrong: the bucket does not exist.',
      options,
    );
  }
  if (statusOf(error) === 403 || statusOf(error) === 401) {
    return new Problem(
      'storage_forbidden',
      'Storage credentials or bucket name are wrong: the object store rejected the request.',
      options,
    );
  }
  return new Problem(
    'storage_unavailable',
    'The object store cannot be reached or does not respond correctly.',
    options,
  );
}

export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && nameOf(error) !== 'NoSuchBucket';
}

/** For `catch`: an object that does not exist counts as deleted. */
export function tolerateMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode;
}

export function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined;
}
