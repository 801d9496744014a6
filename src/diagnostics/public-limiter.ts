import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, type RateLimiterPostgres } from 'rate-limiter-flexible';
import { DataSource } from 'typeorm';
import { networkOf } from '../common/http/client-network.js';
import { consume, sharedLimiter } from '../database/rate-limits.js';

const PER_MINUTE = 120;
/** For routes whose response comes from memory. */
const CHEAP_PER_MINUTE = 300;

/** Limits the requests of one network to the public routes. */
@Injectable()
export class PublicLimiter {
  private readonly shared: RateLimiterPostgres;
  private readonly own = new RateLimiterMemory({ points: CHEAP_PER_MINUTE, duration: 60 });

  constructor(dataSource: DataSource) {
    this.shared = sharedLimiter(dataSource, {
      keyPrefix: 'public',
      points: PER_MINUTE,
      duration: 60,
      // Callers over the limit are rejected from memory, without querying the database again.
      inMemoryBlockOnConsumed: PER_MINUTE,
    });
  }

  /** Across all processes. */
  count(route: string, address: string): Promise<void> {
    return consume(this.shared, `${route}:${networkOf(address)}`, 'too_many_requests');
  }

  /** For this process only: for routes that must work without the database. */
  countHere(route: string, address: string): Promise<void> {
    return consume(this.own, `${route}:${networkOf(address)}`, 'too_many_requests');
  }
}
