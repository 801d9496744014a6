import { Injectable } from '@nestjs/common';
import { Problem } from '../common/errors/problem.js';
import { logger } from '../common/logging/logger.js';
import { MARKER_KEY } from './object-key.js';
import { StorageService } from './storage.service.js';
import { InstallationRepository } from './installation.repository.js';

/**
 * The owner in the bucket's marker. `taken_over`: ours by an operator's decision, possibly with objects of another installation.
 * `unverified`: ours, but claimed without knowing whether the bucket was empty.
 */
export type BucketOwner = 'us' | 'taken_over' | 'unverified' | 'another' | 'nobody';

interface Remembered {
  readonly owner: BucketOwner;
  readonly at: number;
}

/** How soon a replaced marker is noticed before a deletion or a write. */
const REMEMBERED_FOR_DELETES_MS = 2_000;
const REMEMBERED_FOR_WRITES_MS = 10_000;
const RETRY_AFTER_SECONDS = 60;
/** Flags after the id in the marker. */
const UNVERIFIED = 'unverified';
const TAKEN_OVER = 'taken_over';

/** Ties a bucket to the database that describes its objects. */
@Injectable()
export class Installation {
  private id: string | null = null;
  /** The last known content of the marker. */
  private seen: Remembered | null = null;
  /** The result of the last complete check, including the claim. A failed check is not remembered and is retried. */
  private checked: Remembered | null = null;
  private checking: Promise<BucketOwner> | null = null;

  constructor(
    private readonly repository: InstallationRepository,
    private readonly storage: StorageService,
  ) {}

  /** Called before anything is written to the bucket. Claims a bucket that is not in use; throws if it belongs to another installation. */
  async requireBucket(): Promise<void> {
    // Simultaneous requests share one check.
    const owner =
      recall(this.checked, REMEMBERED_FOR_WRITES_MS) ??
      (await (this.checking ??= this.check().finally(() => (this.checking = null))));
    if (owner === 'another') throw bucketOfAnother();
  }

  /** Reads the marker again: before a cleanup, a cached value is not good enough. */
  async bucketIsOurs(): Promise<boolean> {
    return isOurs(await this.owner());
  }

  /** Whether another installation has marked the bucket. */
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

  /** Null if the key may not list the bucket. */
  async bucketIsInUse(): Promise<boolean | null> {
    try {
      // Only objects below clients/ count, not for example the probes of the storage doctor.
      for await (const page of this.storage.list('clients/')) if (page.length > 0) return true;
      return false;
    } catch (error) {
      if (error instanceof Problem && error.code === 'storage_forbidden') return null;
      throw error;
    }
  }

  /** Replaces any existing marker. */
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
    // If two installations claim it at the same time, the store accepts one. Reading it again shows which.
    await this.storage.writeIfAbsent(MARKER_KEY, Buffer.from(marker), 'text/plain');
    return this.owner();
  }

  /** If a key may not list the bucket, stores hide which objects exist: a missing marker looks forbidden. */
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

/** A bucket that may be cleaned up. */
export function isOurs(owner: BucketOwner): boolean {
  return owner === 'us' || owner === 'taken_over';
}

function recall(memory: Remembered | null, milliseconds: number): BucketOwner | null {
  return memory !== null && Date.now() - memory.at < milliseconds ? memory.owner : null;
}

function bucketOfAnother(): Problem {
  return new Problem(
    'bucket_belongs_to_another_installation',
    'The bucket belongs to another installation of this service. Use a separate bucket for this installation ' +
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
