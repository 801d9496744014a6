import { Injectable } from '@nestjs/common';
import { Problem } from '../common/errors/problem.js';
import { FairSlots, type FullLimit } from '../common/fair-slots.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';

const PLAN_WAIT_MS = 3_000;

/** Downloads last long and occupy the store; plans take seconds and occupy the database. */
@Injectable()
export class ArchiveSlots {
  readonly downloads: FairSlots;
  readonly plans: FairSlots;

  constructor(@InjectConfig() { limits, database }: Config) {
    this.downloads = new FairSlots(
      { total: limits.archives, perClient: limits.archivesPerClient, waitMs: 0 },
      refusal(10),
    );
    // Each plan holds a connection: the other half of the pool stays free.
    const total = Math.min(limits.archivePlans, Math.floor(database.poolSize / 2));
    this.plans = new FairSlots(
      { total, perClient: limits.archivePlansPerClient, waitMs: PLAN_WAIT_MS },
      refusal(5),
    );
  }
}

const refusal = (retryAfter: number) => (full: FullLimit) =>
  full === 'client'
    ? new Problem('too_many_downloads', undefined, { retryAfter })
    : new Problem('server_busy', 'Too many archives are being downloaded by all clients together.', {
        retryAfter,
      });
