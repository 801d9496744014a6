import { Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { inBatches } from '../jobs/in-batches.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { AuthRepository } from './auth.repository.js';

const BATCH = 1_000;

/** Deletes sign-ins and their refresh tokens some time after they end, and expired counters of login limits. */
@Injectable()
@Job('delete-old-sign-ins', { cron: '43 * * * *' })
export class DeleteOldSignInsJob implements JobHandler {
  constructor(
    private readonly repository: AuthRepository,
    @InjectConfig() private readonly config: Config,
  ) {}

  async run(_payload: unknown, signal: AbortSignal): Promise<void> {
    const { signInRetentionSeconds } = this.config.auth;
    await inBatches(
      BATCH,
      (size) => this.repository.deleteEndedSignIns(signInRetentionSeconds, size),
      signal,
    );
    await inBatches(BATCH, (size) => this.repository.deleteExpiredLimits(size), signal);
  }
}
