import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AssetsRepository } from '../../assets/assets.repository.js';
import { creatorOf } from '../../assets/creators.rules.js';
import { defaultTitle, downloadName } from '../../assets/file-names.rules.js';
import { AuditService } from '../../audit/audit.service.js';
import type { ProblemCode } from '../../common/errors/catalogue.js';
import { Problem } from '../../common/errors/problem.js';
import { newId } from '../../common/ids.js';
import type { Config } from '../../config/config.js';
import { InjectConfig } from '../../config/config.token.js';
import { FolderStructure } from '../../folders/folder-structure.js';
import type { SupportedMime } from '../../media/file-types.js';
import { HEAD_BYTES, sniff } from '../../media/sniff.js';
import { firstBytes } from '../../storage/hash-stream.js';
import { Installation } from '../../storage/installation.js';
import { parseKey } from '../../storage/object-key.js';
import { StorageService, type StoredObject } from '../../storage/storage.service.js';
import { TrashBatchesRepository } from '../../trash-batches/trash-batches.repository.js';
import { OriginalVerification, type VerifiedFacts } from '../original-verification.js';
import { AdoptionRepository } from './adoption.repository.js';

export interface Adopt {
  /** False only counts. */
  readonly apply: boolean;
  /** Null means all clients. */
  readonly clientId: string | null;
}

export interface AdoptionReport {
  /** The number of originals without a record, by client. */
  readonly found: Map<string, number>;
  readonly unknownClients: Map<string, number>;
  /** The first of those that are not valid files. */
  readonly rejectedFiles: { readonly key: string; readonly reason: string }[];
  files: number;
  bytes: number;
  adopted: number;
  rejected: number;
  /** Could not be read or checked. */
  failed: number;
}

type Original = StoredObject & {
  readonly clientId: string;
  readonly assetId: string;
  readonly attempt: string;
};

const PAGE = 500;
/** The service may be running next to this. */
const AT_ONCE = 2;
const MAX_LISTED = 100;
/** Then the store or this machine is the problem. */
const MAX_FAILURES_IN_A_ROW = 20;
const BATCH = { name: 'Recovered files', trashedBy: 'storage:adopt' };
/** The file itself is invalid. */
const REJECTING: readonly ProblemCode[] = ['content_mismatch', 'media_invalid', 'size_mismatch'];

/**
 * Makes assets of originals that have no record, as after restoring a backup: under their old ids, verified like any upload, and in the
 * trash, because they may have been deleted on purpose. Can be interrupted and repeated; no original becomes two assets.
 */
@Injectable()
export class AdoptionService {
  private failuresInARow = 0;

  constructor(
    private readonly repository: AdoptionRepository,
    private readonly storage: StorageService,
    private readonly installation: Installation,
    private readonly verification: OriginalVerification,
    private readonly assets: AssetsRepository,
    private readonly batches: TrashBatchesRepository,
    private readonly structure: FolderStructure,
    private readonly audit: AuditService,
    @InjectConfig() private readonly config: Config,
  ) {}

  async adopt({ apply, clientId }: Adopt, signal: AbortSignal): Promise<AdoptionReport> {
    if (clientId !== null && (await this.repository.findClients([clientId])).size === 0)
      throw new Error(`There is no client with the id ${clientId}.`);
    const report: AdoptionReport = {
      found: new Map(),
      unknownClients: new Map(),
      rejectedFiles: [],
      ...{ files: 0, bytes: 0, adopted: 0, rejected: 0, failed: 0 },
    };
    const prefix = clientId === null ? 'clients/' : `clients/${clientId}/assets/`;
    for await (const page of inPages(this.lastAttempts(prefix), PAGE)) {
      signal.throwIfAborted();
      await this.requireOwnBucket();
      const lost = await this.findLost(page, report);
      if (apply) await this.adoptAll(lost, report, signal);
    }
    return report;
  }

  /**
   * Only the last attempt to finalize an upload can have become its asset. Attempts are ordered by time, and listed in order after each
   * other.
   */
  private async *lastAttempts(prefix: string): AsyncGenerator<Original> {
    let last: Original | null = null;
    for await (const page of this.storage.list(prefix)) {
      for (const object of page) {
        const key = parseKey(object.key);
        if (key?.kind !== 'original') continue;
        const { clientId, assetId, attempt } = key;
        if (last !== null && (last.assetId !== assetId || last.clientId !== clientId)) yield last;
        last = { ...object, clientId, assetId, attempt };
      }
    }
    if (last !== null) yield last;
  }

  private async findLost(originals: readonly Original[], report: AdoptionReport): Promise<Original[]> {
    const clients = await this.repository.findClients(originals.map(({ clientId }) => clientId));
    const taken = await this.repository.findTaken(originals.map(({ assetId }) => assetId));
    const lost: Original[] = [];
    for (const original of originals) {
      const { clientId, assetId, sizeBytes } = original;
      if (!clients.has(clientId)) count(report.unknownClients, clientId);
      else if (!taken.has(assetId)) {
        count(report.found, clientId);
        report.files++;
        report.bytes += sizeBytes;
        lost.push(original);
      }
    }
    return lost;
  }

  private async adoptAll(
    lost: readonly Original[],
    report: AdoptionReport,
    signal: AbortSignal,
  ): Promise<void> {
    const filenames = await this.repository.findFilenames(lost.map(({ assetId }) => assetId));
    const waiting = lost.values();
    const work = async () => {
      for (const original of waiting) {
        if (this.failuresInARow >= MAX_FAILURES_IN_A_ROW) return;
        await this.adoptOne(original, filenames.get(original.assetId), report, signal);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (this.failuresInARow >= MAX_FAILURES_IN_A_ROW)
      throw new Error(`Stopped after ${this.failuresInARow} failures in a row. Adopted: ${report.adopted}.`);
  }

  private async adoptOne(
    original: Original,
    filename: string | undefined,
    report: AdoptionReport,
    signal: AbortSignal,
  ): Promise<void> {
    const { key, sizeBytes, clientId } = original;
    try {
      const mimeType = await this.typeOf(original, signal);
      const owner = { clientId, priority: 'interactive' as const };
      const stored = { key, sizeBytes, mimeType, sha256: null, owner };
      const facts = await this.verification.verify(stored, signal);
      if (await this.record(original, mimeType, facts, filename)) report.adopted++;
      this.failuresInARow = 0;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (REJECTING.includes(error.code)) {
        report.rejected++;
        const reason = error.detail ?? error.title;
        if (report.rejectedFiles.length < MAX_LISTED) report.rejectedFiles.push({ key, reason });
      } else {
        report.failed++;
        this.failuresInARow++;
      }
    }
  }

  private async typeOf({ key }: Original, signal: AbortSignal): Promise<SupportedMime> {
    const object = await this.storage.open(key, { start: 0, end: HEAD_BYTES - 1 }, signal);
    if (object === null) throw new Problem('storage_unavailable', 'The stored file is missing.');
    const mimeType = sniff(await firstBytes(object.body, HEAD_BYTES, this.storage.timeoutMs));
    if (mimeType !== null) return mimeType;
    throw new Problem('content_mismatch', 'The file is neither JPEG, PNG, WebP, HEIC nor MP4.');
  }

  /** False if someone else has adopted it in the meantime. */
  private record(
    { clientId, assetId, attempt, lastModified }: Original,
    mimeType: SupportedMime,
    facts: VerifiedFacts,
    filename: string | undefined,
  ): Promise<boolean> {
    const { titleLength } = this.config.limits;
    const uploadedAt = lastModified.toISOString().slice(0, 16).replace('T', ' ');
    const originalFilename = filename ?? downloadName('recovered', mimeType);
    const title = filename ? defaultTitle(filename, titleLength) : `Recovered ${uploadedAt}`;
    // The same lock under which batches are restored: none is restored while it grows.
    return this.structure.change(clientId, async (manager) => {
      if ((await this.repository.findTaken([assetId], manager)).size > 0) return false;
      await this.assets.insert(
        {
          ...{ id: assetId, clientId, attempt, sessionId: assetId, mimeType, originalFilename, title },
          ...{ description: '', altText: '', tags: [], allowedSurfaces: [], ...facts },
          ...creatorOf(null),
          folderId: null,
          ...(await this.assets.findDuplicate({ clientId }, facts.sha256, manager)),
          batchId: await this.batchOf(clientId, manager),
          createdAt: lastModified,
        },
        manager,
      );
      await this.audit.record(manager, {
        actor: null,
        clientId,
        action: 'asset.adopt',
        subject: ['asset', assetId],
        after: { title, originalFilename, sha256: facts.sha256 },
      });
      return true;
    });
  }

  /** One batch per client, also over several runs. */
  private async batchOf(clientId: string, manager: EntityManager): Promise<string> {
    const extended = await this.batches.extendBatch({ clientId }, BATCH, manager);
    if (extended !== null) return extended;
    const batch = { id: newId(), clientId, folderId: null, assetId: null, folders: 0, assets: 1, ...BATCH };
    return (await this.batches.insertBatch(batch, manager)).id;
  }

  private async requireOwnBucket(): Promise<void> {
    if (await this.installation.bucketIsOurs()) return;
    throw new Error(
      'The bucket is not marked with the id of this installation. Its files may belong to another one. See: npm run cli -- storage:claim',
    );
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

async function* inPages<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let page: T[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
