import { Injectable } from '@nestjs/common';
import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { consume, sharedLimiter } from '../database/rate-limits.js';

const WINDOW_SECONDS = 15 * 60;

export interface LoginAttempt {
  /** The email address, in lower case. */
  readonly account: string;
  readonly network: string;
  /** Whether the user has signed in from this network before. */
  readonly knownNetwork: boolean;
  /** The device on which the user has signed in before, or null. */
  readonly device: string | null;
}

type Limit = readonly [limiter: RateLimiterPostgres, key: string];

/**
 * Limits password guessing across all processes, using Postgres. The strict limit is per account *and* network, so that a stranger's
 * guesses do not lock the user out. The loose limits cover guessing spread over many networks or accounts. Strangers can exhaust the limit
 * of an account, so devices and networks from which the user has signed in before are counted separately.
 */
@Injectable()
export class LoginLimiter {
  private readonly pair: RateLimiterPostgres;
  private readonly device: RateLimiterPostgres;
  private readonly account: RateLimiterPostgres;
  private readonly accountWhereKnown: RateLimiterPostgres;
  private readonly network: RateLimiterPostgres;

  constructor(dataSource: DataSource) {
    const limiter = (keyPrefix: string, points: number) =>
      sharedLimiter(dataSource, { keyPrefix, points, duration: WINDOW_SECONDS });
    this.pair = limiter('login-pair', 10);
    this.device = limiter('login-device', 10);
    this.account = limiter('login-account', 100);
    this.accountWhereKnown = limiter('login-account-known', 100);
    this.network = limiter('login-address', 100);
  }

  /** Counts the attempt before the password is checked, so that simultaneous guesses cannot exceed the limit. */
  async count(attempt: LoginAttempt): Promise<void> {
    for (const [limiter, key] of this.limitsOf(attempt))
      await consume(limiter, key, 'too_many_attempts', 'Too many failed sign-ins. Try again later.');
  }

  /** A success does not count as an attempt. */
  async resetAfterSuccess(attempt: LoginAttempt): Promise<void> {
    const [[tight, key], ...others] = this.limitsOf(attempt);
    await tight.delete(key);
    for (const [limiter, otherKey] of others) await limiter.reward(otherKey);
  }

  /** The strict limit comes first. */
  private limitsOf({ account, network, knownNetwork, device }: LoginAttempt): [Limit, ...Limit[]] {
    const known: Limit = [this.accountWhereKnown, fingerprint(account)];
    if (device !== null) return [[this.device, device], known];
    return [
      [this.pair, fingerprint(`${account} ${network}`)],
      knownNetwork ? known : [this.account, fingerprint(account)],
      [this.network, fingerprint(network)],
    ];
  }
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
