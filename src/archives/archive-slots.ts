import { Injectable } from '@nestjs/common';
import { Problem } from '../common/errors/problem.js';
import { FairLimiter, type FullLimit } from '../common/fair-limiter.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';

const PLANS = 4;
const PLANS_PER_CLIENT = 2;
const PLAN_WAIT_MS = 3_000;

/** Downloads take a long time and load the store; plans take seconds and load the database. */
@Injectable()
export class ArchiveSlots {
  readonly downloads: FairLimiter;
  readonly plans: FairLimiter;

  constructor(@InjectConfig() { limits, database }: Config) {
    this.downloads = new FairLimiter({
      capacity: limits.archives,
      perClient: limits.archivesPerClient,
      maxWaitMs: 0,
      full: refusal(10),
    });
    // Each plan holds a connection, so half of the pool stays free.
    this.plans = new FairLimiter({
      capacity: Math.max(1, Math.min(PLANS, Math.floor(database.poolSize / 2))),
      perClient: PLANS_PER_CLIENT,
      maxWaitMs: PLAN_WAIT_MS,
      full: refusal(5),
    });
  }
}

const refusal = (retryAfter: number) => (full: FullLimit) =>
  full === 'client'
    ? new Problem('too_many_downloads', undefined, { retryAfter })
    : new Problem('server_busy', 'Too many archive downloads are running on this server.', {
        retryAfter,
      });
