import { Injectable } from '@nestjs/common';
import { logger } from '../common/logging/logger.js';
import { Database } from '../database/database.js';
import { inBatches } from '../jobs/in-batches.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { FitnessRepository } from './fitness.repository.js';

const PAGE = 500;

/** Computes the fitness of every asset with the current rules, if it is missing or was computed with older rules. */
@Injectable()
@Job('judge-fitness', { cron: '*/5 * * * *' })
export class JudgeFitnessJob implements JobHandler {
  constructor(
    private readonly database: Database,
    private readonly repository: FitnessRepository,
  ) {}

  async run(_payload: unknown, signal: AbortSignal): Promise<void> {
    const judged = await inBatches(PAGE, (size) => this.judgePage(size), signal);
    if (judged > 0) logger.info({ assets: judged }, 'assets checked against the current publishing limits');
  }

  private judgePage(size: number): Promise<number> {
    return this.database.transaction(async (manager) => {
      const assets = await this.repository.lockOutdated(size, manager);
      if (assets.length > 0) await this.repository.judge(assets, manager);
      return assets.length;
    });
  }
}
