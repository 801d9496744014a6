import {
  type IRateLimiterPostgresOptions,
  type RateLimiterAbstract,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { DataSource } from 'typeorm';
import type { ProblemCode } from '../common/errors/catalogue.js';
import { Problem } from '../common/errors/problem.js';

type Limits = Pick<
  IRateLimiterPostgresOptions,
  'keyPrefix' | 'points' | 'duration' | 'inMemoryBlockOnConsumed'
>;

/** Counts across all processes. */
export function sharedLimiter(dataSource: DataSource, limits: Limits): RateLimiterPostgres {
  return new RateLimiterPostgres({
    ...limits,
    storeClient: dataSource,
    storeType: 'typeorm',
    tableName: 'rate_limits',
    tableCreated: true,
    // A job deletes them in batches.
    clearExpiredByTimeout: false,
  });
}

/** Throws a problem with this code if the limit is exceeded. */
export async function consume(
  limiter: RateLimiterAbstract,
  key: string,
  code: ProblemCode,
  detail?: string,
): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new Problem(code, detail, { retryAfter: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) });
  }
}
