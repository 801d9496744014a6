import { Injectable } from '@nestjs/common';
import { inBatches } from '../jobs/in-batches.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { PasswordLinksRepository } from '../users/password-links.repository.js';
import { AuthRepository } from './auth.repository.js';
import { PickerTokensRepository } from './pickers/picker-tokens.repository.js';

const BATCH = 1_000;
/** Login limits recognize the network of a sign-in for as long after it ends. */
const RETENTION_SECONDS = 30 * 86_400;

/**
 * Deletes sign-ins and their refresh tokens some time after they end, expired password links and picker tokens, and expired counters of login
 * limits.
 */
@Injectable()
@Job('delete-old-sign-ins', { cron: '43 * * * *' })
export class DeleteOldSignInsJob implements JobHandler {
  constructor(
    private readonly repository: AuthRepository,
    private readonly links: PasswordLinksRepository,
    private readonly pickers: PickerTokensRepository,
  ) {}

  async run(_payload: unknown, signal: AbortSignal): Promise<void> {
    await inBatches(BATCH, (size) => this.repository.deleteEndedSignIns(RETENTION_SECONDS, size), signal);
    await inBatches(BATCH, (size) => this.links.deleteExpired(size), signal);
    await inBatches(BATCH, (size) => this.pickers.deleteExpired(size), signal);
    await inBatches(BATCH, (size) => this.repository.deleteExpiredLimits(size), signal);
  }
}
