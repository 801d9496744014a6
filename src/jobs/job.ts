import { SetMetadata } from '@nestjs/common';

/** Background work: a provider decorated with `@Job(name)`. It may run twice, so it must be idempotent. */
export interface JobHandler<P = unknown> {
  run(payload: P, signal: AbortSignal): Promise<void>;
}

export interface JobOptions {
  readonly name: string;
  /** The schedule (cron, UTC). */
  readonly cron?: string;
  /** By default, a run waits for the previous one in any process. This one does not, not even for a killed one. */
  readonly overlapping?: boolean;
}

export const JOB = Symbol('Job');

export const Job = (name: string, options: Omit<JobOptions, 'name'> = {}) =>
  SetMetadata(JOB, { name, ...options });
