import { Injectable } from '@nestjs/common';
import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import { DataSource } from 'typeorm';
import { Problem } from '../common/errors/problem.js';
import { networkOf } from '../common/http/client-network.js';
import { hashSecret } from '../common/tokens.js';
import { consume, sharedLimiter } from '../database/rate-limits.js';

const GUESS_WINDOW_SECONDS = 15 * 60;
const REQUEST_WINDOW_SECONDS = 3_600;

/** Limits guessing links, and mail to people who did not ask for it. */
@Injectable()
export class PasswordLinkLimiter {
  private readonly guesses: RateLimiterPostgres;
  private readonly requests: RateLimiterPostgres;
  private readonly requestsPerAccount: RateLimiterPostgres;

  constructor(dataSource: DataSource) {
    const limiter = (keyPrefix: string, points: number, duration: number) =>
      sharedLimiter(dataSource, { keyPrefix, points, duration });
    this.guesses = limiter('link-guess', 100, GUESS_WINDOW_SECONDS);
    this.requests = limiter('link-request', 30, REQUEST_WINDOW_SECONDS);
    this.requestsPerAccount = limiter('link-request-account', 5, REQUEST_WINDOW_SECONDS);
  }

  /** Counts before the link is looked up, so that simultaneous guesses cannot exceed the limit. */
  countGuess(address: string): Promise<void> {
    return consume(this.guesses, fingerprint(networkOf(address)), 'too_many_attempts');
  }

  /** A link that exists is no guess. */
  async forgiveGuess(address: string): Promise<void> {
    await this.guesses.reward(fingerprint(networkOf(address)));
  }

  /** False if the account has had enough mail, whether or not it exists: the caller learns neither. */
  async mayRequest(account: string, address: string): Promise<boolean> {
    await consume(this.requests, fingerprint(networkOf(address)), 'too_many_attempts');
    try {
      await consume(this.requestsPerAccount, fingerprint(account), 'too_many_attempts');
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  }
}

const fingerprint = (text: string) => hashSecret(text).toString('base64url');
