import { Injectable } from '@nestjs/common';
import { logger } from '../common/logging/logger.js';
import { sweptObjects } from '../common/metrics/metrics.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { originalKey, parseKey } from '../storage/object-key.js';
import { StorageService, type StoredObject } from '../storage/storage.service.js';
import { Installation } from './installation.js';
import { ObjectOwnersRepository } from './object-owners.repository.js';

const PAGE = 1_000;
/** Of the objects seen: whoever finds more to remove than this has probably made a mistake. */
const REMOVABLE_SHARE = 0.01;

/**
 * Holds bucket and database against each other, once a day. Objects that no record owns are reported, and removed when they are
 * old; an asset without its object raises an alarm and is never touched.
 */
@Injectable()
@Job('reconcile', { cron: '17 3 * * *' })
export class ReconcileJob implements JobHandler {
  constructor(
    private readonly storage: StorageService,
    private readonly owners: ObjectOwnersRepository,
    private readonly installation: Installation,
    @InjectConfig() private readonly config: Config,
  ) {}

  async run(_payload: unknown, signal: AbortSignal): Promise<void> {
    if ((await this.storage.state()) === 'not_configured') return;
    const { seen, orphans } = await this.findOrphans(signal);
    const removable = orphans.filter(({ lastModified }) =>
      this.isOlder(lastModified, this.config.sweeper.removeSeconds),
    );
    const removed = await this.remove(removable, seen, signal);
    const stale = await this.abortStaleMultiparts(signal);
    const missing = await this.findMissing(signal);
    for (const [kind, count] of Object.entries({ seen, orphans: orphans.length, removed, missing }))
      sweptObjects.set({ kind }, count);
    logger.info({ seen, orphans: orphans.length, removed, stale, missing }, 'bucket and database reconciled');
  }

  /** Lists the bucket first and asks the database after, page by page: what is created meanwhile is never mistaken for an orphan. */
  private async findOrphans(signal: AbortSignal): Promise<{ seen: number; orphans: StoredObject[] }> {
    let seen = 0;
    const orphans: StoredObject[] = [];
    for await (const page of this.storage.list('clients/')) {
      signal.throwIfAborted();
      seen += page.length;
      const old = page.filter(({ lastModified }) =>
        this.isOlder(lastModified, this.config.sweeper.reportSeconds),
      );
      const unowned = new Set(await this.owners.findUnowned(old.map(({ key }) => key)));
      orphans.push(...old.filter(({ key }) => unowned.has(key)));
    }
    for (const { key, sizeBytes, lastModified } of orphans.slice(0, 100)) {
      logger.warn({ key, sizeBytes, lastModified }, 'an object that no record owns');
    }
    return { seen, orphans };
  }

  private async remove(orphans: readonly StoredObject[], seen: number, signal: AbortSignal): Promise<number> {
    if (orphans.length === 0) return 0;
    if (!(await this.installation.bucketIsOurs())) {
      logger.warn('the bucket carries the id of another installation, or none: nothing is removed');
      return 0;
    }
    const allowed = Math.floor(seen * REMOVABLE_SHARE);
    const chosen = orphans.slice(0, allowed);
    if (chosen.length < orphans.length) {
      logger.warn(
        { removable: orphans.length, allowed },
        'more to remove than one run may: the rest is only reported',
      );
    }
    for (const { key } of chosen) {
      signal.throwIfAborted();
      await this.storage.delete(key);
    }
    return chosen.length;
  }

  /** Uploads in parts whose session is over, or was never written down. */
  private async abortStaleMultiparts(signal: AbortSignal): Promise<number> {
    if (!(await this.installation.bucketIsOurs())) return 0;
    let aborted = 0;
    for await (const { key, uploadId, begunAt } of this.storage.listMultiparts('clients/')) {
      signal.throwIfAborted();
      if (!this.isOlder(begunAt, this.config.sweeper.reportSeconds) || parseKey(key)?.kind !== 'upload')
        continue;
      if ((await this.owners.findUnowned([key])).length === 0) continue;
      await this.storage.abortMultipart(key, uploadId);
      aborted++;
    }
    return aborted;
  }

  /** Walks records and objects of each client side by side, both in order of their keys, so that neither is held in memory. */
  private async findMissing(signal: AbortSignal): Promise<number> {
    let missing = 0;
    for (const clientId of await this.owners.findClientIds()) {
      const listed = this.originalsOf(clientId);
      let object = await listed.next();
      for await (const asset of this.assetsOf(clientId)) {
        signal.throwIfAborted();
        const key = originalKey(clientId, asset.id, asset.attempt);
        while (!object.done && object.value < key) object = await listed.next();
        // Asked once more by name: the listing may be older than the record.
        if ((!object.done && object.value === key) || (await this.storage.head(key))) continue;
        missing++;
        logger.error(
          { alarm: 'object_missing', assetId: asset.id, clientId },
          'the object of an asset is missing',
        );
      }
    }
    return missing;
  }

  private async *originalsOf(clientId: string): AsyncGenerator<string> {
    for await (const page of this.storage.list(`clients/${clientId}/assets/`)) {
      for (const { key } of page) if (parseKey(key)?.kind === 'original') yield key;
    }
  }

  private async *assetsOf(clientId: string): AsyncGenerator<{ id: string; attempt: string }> {
    for (let after: string | null = null; ;) {
      const page = await this.owners.findAssets(clientId, after, PAGE);
      yield* page;
      if (page.length < PAGE) return;
      after = page[page.length - 1]!.id;
    }
  }

  private isOlder(date: Date, seconds: number): boolean {
    return Date.now() - date.getTime() > seconds * 1000;
  }
}
