import { Injectable } from '@nestjs/common';
import type { ClientScope } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';
import { FairLimiter, type FullLimit, type WorkOwner } from '../common/fair-limiter.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { TempFiles } from '../storage/temp-files.js';
import { type ArchiveEntry, readPlan, writePlan } from './archive-plan.js';
import { type ArchiveContents, ArchivePlanner, type Plan } from './archive-planner.js';

const PLANS = 4;
const PLANS_PER_CLIENT = 2;
const PLAN_WAIT_MS = 3_000;

export interface Archive extends Plan {
  readonly entries: AsyncIterable<ArchiveEntry>;
}

/** Limits how many archives are planned and sent at the same time. */
@Injectable()
export class ArchivesService {
  /** Downloads take a long time and load the store; plans take seconds and load the database. */
  private readonly downloads: FairLimiter;
  private readonly plans: FairLimiter;

  constructor(
    private readonly planner: ArchivePlanner,
    private readonly tempFiles: TempFiles,
    @InjectConfig() { limits, database }: Config,
  ) {
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

  measure(scope: ClientScope, contents: ArchiveContents, signal: AbortSignal): Promise<Plan> {
    return this.plans.run(ownerOf(scope), () => this.planner.plan(scope, contents, signal), { signal });
  }

  /** The entries can be read while `send` runs. They stay as planned, whatever happens to the library. */
  async download(
    scope: ClientScope,
    contents: ArchiveContents,
    signal: AbortSignal,
    send: (archive: Archive) => Promise<unknown>,
  ): Promise<void> {
    const owner = ownerOf(scope);
    await this.downloads.run(owner, () =>
      // A plan takes about 120 bytes per asset and `downloads` limits their number, so it does not count towards the budget.
      this.tempFiles.use(
        owner,
        0,
        async (path) => {
          const plan = await this.plans.run(
            owner,
            () => writePlan(path, (write) => this.planner.plan(scope, contents, signal, write)),
            { signal },
          );
          await send({ ...plan, entries: readPlan(path, scope.clientId) });
        },
        signal,
      ),
    );
  }
}

const refusal = (retryAfter: number) => (full: FullLimit) =>
  full === 'client'
    ? new Problem('too_many_downloads', undefined, { retryAfter })
    : new Problem('server_busy', 'Too many archive downloads are running on this server.', {
        retryAfter,
      });

function ownerOf({ clientId }: ClientScope): WorkOwner {
  return { clientId, priority: 'interactive' };
}
