import { Injectable } from '@nestjs/common';
import type { ClientScope } from '../access/principal.js';
import type { WorkOwner } from '../common/fair-limiter.js';
import { TempFiles } from '../storage/temp-files.js';
import { type ArchiveEntry, readPlan, writePlan } from './archive-plan.js';
import { ArchivePlanner, type Plan } from './archive-planner.js';
import { ArchiveSlots } from './archive-slots.js';

export interface Archive extends Plan {
  readonly entries: AsyncIterable<ArchiveEntry>;
}

/** Archives of a folder, or of the whole library if the folder is null. */
@Injectable()
export class ArchivesService {
  constructor(
    private readonly planner: ArchivePlanner,
    private readonly slots: ArchiveSlots,
    private readonly tempFiles: TempFiles,
  ) {}

  measure(scope: ClientScope, folderId: string | null, signal: AbortSignal): Promise<Plan> {
    return this.slots.plans.run(ownerOf(scope), () => this.planner.plan(scope, folderId, signal), { signal });
  }

  /** The entries can be read while `send` runs. They stay as planned, whatever happens to the library. */
  async download(
    scope: ClientScope,
    folderId: string | null,
    signal: AbortSignal,
    send: (archive: Archive) => Promise<unknown>,
  ): Promise<void> {
    const { downloads, plans } = this.slots;
    const owner = ownerOf(scope);
    await downloads.run(owner, () =>
      // A plan takes about 120 bytes per asset and the slots limit the number of plans, so it does not count towards the budget.
      this.tempFiles.use(
        owner,
        0,
        async (path) => {
          const plan = await plans.run(
            owner,
            () => writePlan(path, (write) => this.planner.plan(scope, folderId, signal, write)),
            { signal },
          );
          await send({ ...plan, entries: readPlan(path, scope.clientId) });
        },
        signal,
      ),
    );
  }
}

function ownerOf({ clientId }: ClientScope): WorkOwner {
  return { clientId, priority: 'interactive' };
}
