import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import { DataSource } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { ProblemCode } from '../common/errors/catalogue.js';
import { logger } from '../common/logging/logger.js';
import { Database } from '../database/database.js';
import type { User } from '../database/entities/user.entity.js';
import { sharedLimiter } from '../database/rate-limits.js';
import type { SignInOrigin } from './sign-in-method.js';
import { originForAudit } from './sign-in-origin.js';

const WINDOW_SECONDS = 15 * 60;
/** Events of all accounts in one window, before the same coalescing applies to all of them together. */
const MAX_EVENTS = 500;
/** Refusals that wait to be recorded. Further ones are not, because a flood comes faster than it can be written. */
const MAX_PENDING = 100;

/**
 * Records refused sign-ins. Strangers can cause them, so an account has an event for the 1st, 2nd, 4th, 8th … refusal within 15 minutes,
 * and all unknown accounts together are one account. What was typed is not recorded: it may be a password.
 */
@Injectable()
export class RefusedSignIns implements BeforeApplicationShutdown {
  private readonly refusals: RateLimiterPostgres;
  private readonly events: RateLimiterPostgres;
  /** One after the other, in the order of the refusals, so that a flood uses only one connection. */
  private written: Promise<void> = Promise.resolve();
  private pending = 0;

  constructor(
    private readonly database: Database,
    private readonly audit: AuditService,
    dataSource: DataSource,
  ) {
    const limits = { points: 1, duration: WINDOW_SECONDS };
    this.refusals = sharedLimiter(dataSource, { keyPrefix: 'refused-sign-in', ...limits });
    this.events = sharedLimiter(dataSource, { keyPrefix: 'refused-sign-in-event', ...limits });
  }

  /** Nobody waits for it, so the response time does not reveal whether the user exists. */
  record(user: User | null, origin: SignInOrigin, reason: ProblemCode): void {
    if (this.pending >= MAX_PENDING) return;
    this.pending++;
    this.written = this.written
      .then(() => this.write(user, origin, reason))
      .catch((error: unknown) => logger.warn({ err: error }, 'could not record a refused sign-in'))
      .finally(() => this.pending--);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.written;
  }

  private async write(user: User | null, origin: SignInOrigin, reason: ProblemCode): Promise<void> {
    const account = user?.id ?? 'unknown';
    const { consumedPoints: attempts } = await this.refusals.penalty(account);
    if (!isPowerOfTwo(attempts)) return;
    const { consumedPoints: events } = await this.events.penalty('all');
    if (events > MAX_EVENTS && !isPowerOfTwo(events)) return;
    await this.audit.record(this.database.manager, {
      actor: null,
      action: 'sign_in.refuse',
      subject: ['user', account],
      after: { reason, attempts, ...originForAudit(origin) },
    });
  }
}

function isPowerOfTwo(count: number): boolean {
  return (count & (count - 1)) === 0;
}
