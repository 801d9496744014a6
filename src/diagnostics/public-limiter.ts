import { Injectable } from '@nestjs/common';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { DataSource } from 'typeorm';
import { Problem } from '../common/errors/problem.js';
import { networkOf } from '../common/http/client-network.js';

const PER_MINUTE = 120;
/** For routes whose response comes from memory. */
const CHEAP_PER_MINUTE = 300;

/** Limits the requests of one network to the public routes. */
@Injectable()
export class PublicLimiter {
  private readonly shared: RateLimiterPostgres;
  private readonly own = new RateLimiterMemory({ points: CHEAP_PER_MINUTE, duration: 60 });

  constructor(dataSource: DataSource) {
    this.shared = new RateLimiterPostgres({
      storeClient: dataSource,
      storeType: 'typeorm',
      tableName: 'rate_limits',
      tableCreated: true,
      // A job deletes them in batches.
      clearExpiredByTimeout: false,
      keyPrefix: 'public',
      points: PER_MINUTE,
      duration: 60,
      // Callers over the limit are rejected from memory, without querying the database again.
      inMemoryBlockOnConsumed: PER_MINUTE,
    });
  }

  /** Across all processes. */
  count(route: string, address: string): Promise<void> {
    return this.consume(this.shared, `${route}:${networkOf(address)}`);
  }

  /** For this process only: for routes that must work without the database. */
  countHere(route: string, address: string): Promise<void> {
    return this.consume(this.own, `${route}:${networkOf(address)}`);
  }

  private async consume(limiter: RateLimiterAbstract, key: string): Promise<void> {
    try {
      await limiter.consume(key);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new Problem('too_many_requests', undefined, {
        retryAfter: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)),
      });
    }
  }
}
