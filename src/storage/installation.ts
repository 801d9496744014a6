import { Injectable } from '@nestjs/common';
import { Problem } from '../common/errors/problem.js';
import { logger } from '../common/logging/logger.js';
import { MARKER_KEY } from './object-key.js';
import { StorageService } from './storage.service.js';
import { InstallationRepository } from './installation.repository.js';

/**
 * Whose marker the bucket carries. `taken_over`: ours by an operator's decision, perhaps with objects of another installation.
 * `unverified`: ours, but set without knowing whether the bucket was empty.
 */
export type BucketOwner = 'us' | 'taken_over' | 'unverified' | 'another' | 'nobody';

interface Remembered {
  readonly owner: BucketOwner;
  readonly at: number;
}

/** Before a deletion, and before a write: a replaced marker is noticed within this time. */
const REMEMBERED_FOR_DELETES_MS = 2_000;
const REMEMBERED_FOR_WRITES_MS = 10_000;
const RETRY_AFTER_SECONDS = 60;
/** Follow the id in the marker. */
const UNVERIFIED = 'unverified';
const TAKEN_OVER = 'taken_over';

/** Ties a bucket to the database whose records describe it. */
@Injectable()
export class Installation {
  private id: string | null = null;
  /** What the marker last said. */
  private seen: Remembered | null = null;
  /** What a whole check, claim included, last came to. A failed one leaves no trace and is tried again. */
  private checked: Remembered | null = null;
  private checking: Promise<BucketOwner> | null = null;

  constructor(
    private readonly repository: InstallationRepository,
    private readonly storage: StorageService,
  ) {}

  /** Before anything is written to the bucket. Claims a bucket that is not in use; throws when it is another installation's. */
  async requireBucket(): Promise<void> {
    // Requests that arrive together share one check.
    const owner =
      recall(this.checked, REMEMBERED_FOR_WRITES_MS) ??
      (await (this.checking ??= this.check().finally(() => (this.checking = null))));
    if (owner === 'another') throw bucketOfAnother();
  }

  /** Asks anew: before a sweep, memory is not good enough. */
  async bucketIsOurs(): Promise<boolean> {
    return isOurs(await this.owner());
  }

  /** Whether another installation has marked the bucket as its own. */
  async bucketIsOthers(): Promise<boolean> {
    return (recall(this.seen, REMEMBERED_FOR_DELETES_MS) ?? (await this.owner())) === 'another';
  }

  async owner(): Promise<BucketOwner> {
    const marker = await this.storage.readAll(MARKER_KEY);
    const owner = marker === null ? 'nobody' : await this.ownerIn(marker.toString());
    if (owner !== this.seen?.owner) report(owner);
    this.seen = { owner, at: Date.now() };
    return owner;
  }

  /** Null when the key may not list the bucket. */
  async bucketIsInUse(): Promise<boolean | null> {
    try {
      // Only what lies below clients/ counts: probes of the storage doctor, for example, do not.
      for await (const page of this.storage.list('clients/')) if (page.length > 0) return true;
      return false;
    } catch (error) {
      if (error instanceof Problem && error.code === 'storage_forbidden') return null;
      throw error;
    }
  }

  /** Replaces whatever marker is there. */
  async takeOver(): Promise<void> {
    const marker = `${await this.ownId()} ${TAKEN_OVER}`;
    await this.storage.write(MARKER_KEY, Buffer.from(marker), 'text/plain');
    await this.owner();
  }

  /** The owner, after claiming a bucket that has none and is not in use. */
  async check(): Promise<BucketOwner> {
    const owner = await this.claimIfUnused();
    this.checked = { owner, at: Date.now() };
    return owner;
  }

  private async claimIfUnused(): Promise<BucketOwner> {
    const owner = await this.ownerOrHidden();
    if (owner !== 'nobody') return owner;
    const inUse = await this.bucketIsInUse();
    if (inUse === true) return owner;
    const marker = inUse === null ? `${await this.ownId()} ${UNVERIFIED}` : await this.ownId();
    // Of two installations that get here together, the store lets one pass. Reading it again tells which.
    await this.storage.writeIfAbsent(MARKER_KEY, Buffer.from(marker), 'text/plain');
    return this.owner();
  }

  /** Stores hide from a key that may not list the bucket which objects exist: a missing marker looks forbidden. */
  private async ownerOrHidden(): Promise<BucketOwner> {
    try {
      return await this.owner();
    } catch (error) {
      const forbidden = error instanceof Problem && error.code === 'storage_forbidden';
      if (forbidden && (await this.bucketIsInUse()) === null) return 'nobody';
      throw error;
    }
  }

  private async ownerIn(marker: string): Promise<BucketOwner> {
    const [id, note] = marker.trim().split(' ');
    if (id !== (await this.ownId())) return 'another';
    return note === UNVERIFIED || note === TAKEN_OVER ? note : 'us';
  }

  private async ownId(): Promise<string> {
    return (this.id ??= await this.repository.findOrCreateId());
  }
}

/** A bucket that may be swept. */
export function isOurs(owner: BucketOwner): boolean {
  return owner === 'us' || owner === 'taken_over';
}

function recall(memory: Remembered | null, milliseconds: number): BucketOwner | null {
  return memory !== null && Date.now() - memory.at < milliseconds ? memory.owner : null;
}

function bucketOfAnother(): Problem {
  return new Problem(
    'bucket_belongs_to_another_installation',
    'The bucket is marked as that of another installation of this service. Give this installation a bucket of its own ' +
      '(STORAGE_BUCKET_NAME). If the other one is gone for good, run: npm run cli -- storage:claim --take-over',
    { retryAfter: RETRY_AFTER_SECONDS },
  );
}

function report(owner: BucketOwner): void {
  if (owner === 'another') logger.error('bucket belongs to another installation, not writing or deleting');
  if (owner === 'nobody') logger.warn('bucket is not marked with an installation id');
  if (owner === 'unverified')
    logger.warn('bucket was claimed without permission to list it, cleanup is disabled');
}
