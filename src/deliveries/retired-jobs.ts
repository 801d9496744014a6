import { Injectable } from '@nestjs/common';
import { Job, type JobHandler } from '../jobs/job.js';

/** Earlier versions queued deliveries as jobs. Now their rows say what is due, and a job that such a version has queued only ends. */
@Injectable()
@Job('deliver')
export class RetiredDeliverJob implements JobHandler {
  run(): Promise<void> {
    return Promise.resolve();
  }
}

@Injectable()
@Job('settle-delivery')
export class RetiredSettleJob implements JobHandler {
  run(): Promise<void> {
    return Promise.resolve();
  }
}
