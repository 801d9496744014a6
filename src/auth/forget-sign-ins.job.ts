import { Injectable } from '@nestjs/common';
import { Job, type JobHandler } from '../jobs/job.js';
import { AuthRepository } from './auth.repository.js';

/** Sign-ins that ended, with their refresh tokens, are of no use to anyone. */
@Injectable()
@Job('forget-sign-ins', { cron: '43 2 * * *' })
export class ForgetSignInsJob implements JobHandler {
  constructor(private readonly repository: AuthRepository) {}

  async run(): Promise<void> {
    await this.repository.deleteEndedSignIns();
  }
}
