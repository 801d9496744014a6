import { Injectable } from '@nestjs/common';
import type { ClientScope } from '../auth/principal.js';
import { TempFiles } from '../storage/temp-files.js';
import { type ArchiveEntry, readPlan, writePlan } from './archive-plan.js';
import { ArchivePlanner, type Plan } from './archive-planner.js';
import { ArchiveSlots } from './archive-slots.js';

export interface Archive extends Plan {
  readonly entries: AsyncIterable<ArchiveEntry>;
}

/** Archives of a folder, or of the whole library when the folder is null. */
@Injectable()
export class ArchivesService {
  constructor(
    private readonly planner: ArchivePlanner,
    private readonly slots: ArchiveSlots,
    private readonly tempFiles: TempFiles,
  ) {}

  measure(scope: ClientScope, folderId: string | null, signal: AbortSignal): Promise<Plan> {
    return this.slots.plans.use(scope.clientId, () => this.planner.plan(scope, folderId, signal), signal);
  }

  /** The entries can be read while `send` runs. They stay as planned, whatever happens to the library meanwhile. */
  async download(
    scope: ClientScope,
    folderId: string | null,
    signal: AbortSignal,
    send: (archive: Archive) => Promise<unknown>,
  ): Promise<void> {
    const { downloads, plans } = this.slots;
    await downloads.use(scope.clientId, () =>
      // A plan takes about 120 bytes per asset, and the slots bound how many there are: it is not charged to the budget.
      this.tempFiles.use({ clientId: scope.clientId, priority: 'interactive' }, 0, async (path) => {
        const plan = await plans.use(
          scope.clientId,
          () => writePlan(path, (write) => this.planner.plan(scope, folderId, signal, write)),
          signal,
        );
        await send({ ...plan, entries: readPlan(path, scope.clientId) });
      }),
    );
  }
}
