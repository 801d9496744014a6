import { SetMetadata } from '@nestjs/common';

/** Work done in the background: a provider decorated with `@Job(name)`. It may run twice, and must come to the same end. */
export interface JobHandler<P = unknown> {
  run(payload: P, signal: AbortSignal): Promise<void>;
}

/** Jobs of one lane never wait for a free slot of another: each has slots and connections of its own in every process. */
export type LaneName = 'main' | 'deliveries';

export interface JobOptions {
  readonly name: string;
  /** `main` when absent. */
  readonly lane?: LaneName;
  /** When it runs by itself (cron, UTC). */
  readonly cron?: string;
  /** By itself one run waits for another's end, in whatever process; this one does not, not even for one that was killed. */
  readonly overlapping?: boolean;
}

export const JOB = Symbol('Job');

export const Job = (name: string, options: Omit<JobOptions, 'name'> = {}) =>
  SetMetadata(JOB, { name, ...options });
