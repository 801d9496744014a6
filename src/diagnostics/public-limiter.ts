import { Injectable } from '@nestjs/common';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { DataSource } from 'typeorm';
import { Problem } from '../common/errors/problem.js';

const PER_MINUTE = 120;

/** Bounds what one address may ask of the public routes, across all processes. */
@Injectable()
export class PublicLimiter {
  private readonly limiter: RateLimiterPostgres;

  constructor(dataSource: DataSource) {
    this.limiter = new RateLimiterPostgres({
      storeClient: dataSource,
      storeType: 'typeorm',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix: 'public',
      points: PER_MINUTE,
      duration: 60,
      // Whoever is over the limit is told so from memory, without asking the database again.
      inMemoryBlockOnConsumed: PER_MINUTE,
    });
  }

  async count(route: string, address: string): Promise<void> {
    try {
      await this.limiter.consume(`${route}:${address}`);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new Problem('too_many_requests', undefined, {
        retryAfter: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)),
      });
    }
  }
}
