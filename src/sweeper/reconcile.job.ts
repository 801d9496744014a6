import { Injectable } from '@nestjs/common';
import { logger } from '../common/logging/logger.js';
import { sweptObjects } from '../common/metrics/metrics.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { parseKey } from '../storage/object-key.js';
import { StorageService, type StoredObject } from '../storage/storage.service.js';
import { BucketControl } from '../storage/bucket-control.js';
import { Installation, isOurs } from '../storage/installation.js';
import { MissingObjects } from './missing-objects.js';
import { ObjectOwnersRepository, type Ownership } from './object-owners.repository.js';
import { OrphanCandidates } from './orphan-candidates.js';

const PAGE = 1_000;
const MAX_LOGGED = 100;

export interface Reconcile {
  /** An operator's decision: remove objects without any record even if they look like those of a restored backup. */
  readonly removeUnrecorded?: boolean;
  /** Reports orphans of any age, not only old ones: somebody asks. What is removed still has to be old. */
  readonly anyAge?: boolean;
}

export interface ReconcileReport {
  /** Objects below clients/. */
  readonly seen: number;
  /** Objects of known clients without an owner. */
  readonly orphans: number;
  /** Orphans that this database never knew. */
  readonly unrecorded: number;
  /** Objects with our keys whose client this database does not know. */
  readonly unknownClients: number;
  /** Unrecorded objects are newer than the records before them: the database is probably a restored backup. */
  readonly restored: boolean;
  readonly removed: number;
  /** Multipart uploads that were aborted. */
  readonly stale: number;
  /** Assets whose object is missing. */
  readonly missing: number;
}

/**
 * Compares the bucket with the database, daily and page by page. Objects without an owner are reported, and removed when they are old. An
 * asset without its object raises an alarm and is never changed.
 */
@Injectable()
@Job('reconcile', { cron: '17 3 * * *' })
export class ReconcileJob implements JobHandler<Reconcile> {
  constructor(
    private readonly storage: StorageService,
    private readonly owners: ObjectOwnersRepository,
    private readonly installation: Installation,
    private readonly control: BucketControl,
    private readonly missingObjects: MissingObjects,
    @InjectConfig() private readonly config: Config,
  ) {}

  async run(options: Reconcile, signal: AbortSignal): Promise<void> {
    if (this.config.storage.configured) await this.reconcile(options, signal);
  }

  async reconcile(
    { removeUnrecorded = false, anyAge = false }: Reconcile,
    signal: AbortSignal,
  ): Promise<ReconcileReport> {
    const owner = await this.installation.owner();
    // An installation that claimed the bucket without listing it does not know what else it contains.
    const mayRemove = isOurs(owner) && (await this.control.mayDelete());
    if (!mayRemove) logger.warn({ owner }, 'the database does not control the bucket, not removing objects');
    const candidates = new OrphanCandidates();
    const found = await this.findOrphans(candidates, anyAge, signal);
    // After a takeover, they may be originals of another installation.
    const held = (found.restored || owner === 'taken_over') && !removeUnrecorded;
    if (held && found.restored) {
      logger.error(
        { alarm: 'database_restored', unrecorded: found.unrecorded },
        'objects are newer than the records of this database, as after restoring a backup: they are kept until an operator ' +
          'runs "npm run cli -- storage:adopt" or "npm run cli -- storage:reconcile --remove-unrecorded"',
      );
    }
    const removed = mayRemove ? await this.remove(candidates.choose(found.seen, !held), signal) : 0;
    const stale = mayRemove ? await this.abortStaleMultiparts(!held, signal) : 0;
    const missing = await this.missingObjects.find(signal);
    const report = { ...found, removed, stale, missing };
    const { seen, orphans } = report;
    for (const [kind, count] of Object.entries({ seen, orphans, removed, missing }))
      sweptObjects.set({ kind }, count);
    logger.info(report, 'reconciled bucket and database');
    return report;
  }

  /** Lists the bucket first and queries the database afterwards, page by page, so that a new object is never mistaken for an orphan. */
  private async findOrphans(candidates: OrphanCandidates, anyAge: boolean, signal: AbortSignal) {
    const { reportSeconds, removeSeconds, restoreGapSeconds } = this.config.sweeper;
    const report = { seen: 0, orphans: 0, unrecorded: 0, unknownClients: 0, restored: false };
    for await (const page of this.storage.list('clients/')) {
      signal.throwIfAborted();
      report.seen += page.length;
      const old = page.filter(({ lastModified }) => anyAge || isOlder(lastModified, reportSeconds));
      const owners = await this.owners.classify(old.map(({ key }) => key));
      const unrecorded: StoredObject[] = [];
      for (const object of old) {
        const ownership = owners.get(object.key);
        if (ownership === 'unknown_client') report.unknownClients++;
        if (ownership !== 'recorded' && ownership !== 'unrecorded') continue;
        if (report.orphans++ < MAX_LOGGED) logOrphan(object, ownership);
        if (ownership === 'unrecorded') unrecorded.push(object);
        if (isOlder(object.lastModified, removeSeconds)) candidates.add(object.key, ownership);
      }
      report.unrecorded += unrecorded.length;
      if (unrecorded.length === 0 || report.restored) continue;
      const silence = await this.owners.findLongestSilence(
        unrecorded.map(({ lastModified }) => lastModified),
      );
      report.restored = silence > restoreGapSeconds;
    }
    return report;
  }

  private async remove(keys: readonly string[], signal: AbortSignal): Promise<number> {
    let removed = 0;
    for (let start = 0; start < keys.length; start += PAGE) {
      signal.throwIfAborted();
      // Checked again, because listing a large bucket takes a while.
      for (const key of await this.owners.findUnowned(keys.slice(start, start + PAGE))) {
        signal.throwIfAborted();
        // Deleting a page can take longer than the hold after a claim.
        if (!(await this.control.mayDelete())) return removed;
        await this.storage.delete(key);
        removed++;
      }
    }
    return removed;
  }

  /** Multipart uploads whose session has ended or was never recorded. */
  private async abortStaleMultiparts(withUnrecorded: boolean, signal: AbortSignal): Promise<number> {
    let aborted = 0;
    for await (const page of this.storage.multipart.list('clients/')) {
      signal.throwIfAborted();
      const old = page.filter(
        ({ key, begunAt }) =>
          isOlder(begunAt, this.config.sweeper.reportSeconds) && parseKey(key)?.kind === 'upload',
      );
      if (!(await this.control.mayDelete())) break;
      const owners = await this.owners.classify(old.map(({ key }) => key));
      for (const { key, uploadId } of old) {
        const ownership = owners.get(key);
        if (ownership !== 'recorded' && !(ownership === 'unrecorded' && withUnrecorded)) continue;
        await this.storage.multipart.abort(key, uploadId);
        aborted++;
      }
    }
    return aborted;
  }
}

function isOlder(date: Date, seconds: number): boolean {
  return Date.now() - date.getTime() > seconds * 1000;
}

function logOrphan({ key, sizeBytes, lastModified }: StoredObject, ownership: Ownership): void {
  logger.warn(
    { key, sizeBytes, lastModified, recorded: ownership === 'recorded' },
    'an object that no record owns',
  );
}
