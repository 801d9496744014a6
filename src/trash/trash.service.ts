import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import type { ClientScope } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';
import { decodeCursor, isUuidText, type Page, type PageQuery, toPage } from '../common/paging/page.js';
import { Database } from '../database/database.js';
import type { TrashBatch } from '../database/entities/trash-batch.entity.js';
import { inBatches } from '../jobs/in-batches.js';
import { JobQueue } from '../jobs/job-queue.js';
import { purgeTrashOf } from './purge-trash.job.js';
import { TrashPicturesRepository } from './trash-pictures.repository.js';
import { TrashBatchesRepository } from '../trash-batches/trash-batches.repository.js';

/** The number of batches marked in one transaction: a million in one statement would exceed its timeout. */
const PAGE = 10_000;

export interface ListedBatch {
  readonly batch: TrashBatch;
  readonly previewAssetIds: readonly string[];
}

/** The contents of the trash, and their permanent deletion. */
@Injectable()
export class TrashService {
  constructor(
    private readonly database: Database,
    private readonly trash: TrashBatchesRepository,
    private readonly pictures: TrashPicturesRepository,
    private readonly queue: JobQueue,
    private readonly audit: AuditService,
  ) {}

  async list(scope: ClientScope, query: PageQuery): Promise<Page<ListedBatch>> {
    const before = decodeCursor(query.cursor, isUuidText);
    const page = toPage(
      await this.trash.findPage(scope, before, query.limit + 1),
      query.limit,
      (batch) => batch.id,
    );
    const pictures = await this.pictures.find(
      scope,
      page.items.map(({ id }) => id),
    );
    const items = page.items.map((batch) => ({ batch, previewAssetIds: pictures.get(batch.id)! }));
    return { ...page, items };
  }

  /** Marks batches for permanent deletion. They can no longer be restored; a background job deletes their records and objects. */
  async purge(scope: ClientScope, batchId: string | null): Promise<number> {
    if (batchId === null) return this.purgeAll(scope);
    return this.database.transaction(async (manager) => {
      if (!(await this.trash.markPurging(scope, batchId, manager)))
        throw new Problem('trash_batch_not_found');
      await this.queue.add(manager, purgeTrashOf(scope.clientId));
      await this.audit.record(manager, {
        ...scope,
        action: 'trash.purge',
        subject: ['trash_batch', batchId],
      });
      return 1;
    });
  }

  /** Everything that was in the trash at the time of the request, one page of batches at a time. */
  private async purgeAll(scope: ClientScope): Promise<number> {
    const lastId = await this.trash.findNewestId(scope);
    return lastId === null ? 0 : inBatches(PAGE, (size) => this.purgePage(scope, lastId, size));
  }

  private purgePage(scope: ClientScope, lastId: string, size: number): Promise<number> {
    return this.database.transaction(async (manager) => {
      const batches = await this.trash.markAllPurging(scope, lastId, size, manager);
      if (batches === 0) return 0;
      await this.queue.add(manager, purgeTrashOf(scope.clientId));
      await this.audit.record(manager, {
        ...scope,
        action: 'trash.empty',
        subject: ['client', scope.clientId],
        before: { batches },
      });
      return batches;
    });
  }
}
