import type { ProblemCode } from '../common/errors/catalogue.js';
import { Problem } from '../common/errors/problem.js';

/** How any access to the object store may fail; for the description of the API. */
export const STORAGE_PROBLEMS = [
  'storage_not_configured',
  'storage_unavailable',
  'storage_forbidden',
  'storage_bucket_missing',
] as const satisfies ProblemCode[];

const RETRY_AFTER_SECONDS = 5;

export function storageNotConfigured(missing: readonly string[]): Problem {
  return new Problem(
    'storage_not_configured',
    `Storage settings are missing: ${missing.join(', ')}. The API server must be restarted after they are set.`,
    { extra: { missing } },
  );
}

/** What the store's refusal means, in the words of the specification's error table (section 7). */
export function storageProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const options = { retryAfter: RETRY_AFTER_SECONDS, cause: error };
  if (nameOf(error) === 'NoSuchBucket') {
    return new Problem(
      'storage_bucket_missing',
      'Storage credentials or bucket name are wrong: there is no such bucket.',
      options,
    );
  }
  if (statusOf(error) === 403 || statusOf(error) === 401) {
    return new Problem(
      'storage_forbidden',
      'Storage credentials or bucket name are wrong: the store refused the request.',
      options,
    );
  }
  return new Problem(
    'storage_unavailable',
    'The object store cannot be reached or does not answer properly.',
    options,
  );
}

export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && nameOf(error) !== 'NoSuchBucket';
}

/** For `catch`: what is gone already need not be deleted. */
export function tolerateMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode;
}

export function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined;
}
