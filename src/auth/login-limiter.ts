import { Injectable } from '@nestjs/common';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Problem } from '../common/errors/problem.js';

const WINDOW_SECONDS = 15 * 60;

/**
 * Bounds guessing, shared by all processes through Postgres. The tight limit is per account *and* address, so that a stranger's
 * guesses do not lock the rightful user out; the loose ones bound guessing spread over many addresses or accounts.
 */
@Injectable()
export class LoginLimiter {
  private readonly limits: readonly {
    limiter: RateLimiterPostgres;
    keyOf: (email: string, address: string) => string;
  }[];

  constructor(dataSource: DataSource) {
    const limiter = (keyPrefix: string, points: number) =>
      new RateLimiterPostgres({
        storeClient: dataSource,
        storeType: 'typeorm',
        tableName: 'rate_limits',
        tableCreated: true,
        keyPrefix,
        points,
        duration: WINDOW_SECONDS,
      });
    this.limits = [
      { limiter: limiter('login-pair', 10), keyOf: (email, address) => fingerprint(`${email} ${address}`) },
      { limiter: limiter('login-account', 100), keyOf: (email) => fingerprint(email) },
      { limiter: limiter('login-address', 100), keyOf: (_email, address) => fingerprint(address) },
    ];
  }

  /** Counts the attempt before the password is looked at, so that guesses made at once cannot slip through together. */
  async count(email: string, address: string): Promise<void> {
    for (const { limiter, keyOf } of this.limits) {
      try {
        await limiter.consume(keyOf(email, address));
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const retryAfter = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
        throw new Problem('too_many_attempts', 'Too many failed sign-ins. Try again later.', { retryAfter });
      }
    }
  }

  /** A success does not count as an attempt. */
  async forgive(email: string, address: string): Promise<void> {
    const [pair, ...others] = this.limits;
    await Promise.all([
      pair!.limiter.delete(pair!.keyOf(email, address)),
      ...others.map(({ limiter, keyOf }) => limiter.reward(keyOf(email, address))),
    ]);
  }
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
