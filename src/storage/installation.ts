import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Problem } from '../common/errors/problem.js';
import { logger } from '../common/logging/logger.js';
import { formatMarker, type Marker, type MarkerFlag, parseMarker } from './marker.js';
import { MARKER_KEY } from './object-key.js';
import { storageIsReadOnly } from './storage-errors.js';
import { StorageService } from './storage.service.js';
import { InstallationRepository } from './installation.repository.js';

/**
 * The owner in the bucket's marker. `taken_over`: ours by an operator's decision, possibly with objects of another installation.
 * `unverified`: ours, but claimed without knowing whether the bucket was empty.
 */
export type BucketOwner = 'us' | 'taken_over' | 'unverified' | 'another' | 'nobody';

/** A marker as it was read. It can be replaced as long as nobody else has. */
export interface StoredMarker extends Marker {
  readonly etag: string;
}

interface Remembered {
  readonly owner: BucketOwner;
  readonly at: number;
}

/** How soon a replaced marker is noticed before a write, and for the status. */
const REMEMBERED_FOR_WRITES_MS = 10_000;
const REMEMBERED_FOR_STATUS_MS = 2_000;
const RETRY_AFTER_SECONDS = 60;

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
    if (this.storage.isReadOnly) throw storageIsReadOnly();
    // Simultaneous requests share one check.
    const owner =
      recall(this.checked, REMEMBERED_FOR_WRITES_MS) ??
      (await (this.checking ??= this.check().finally(() => (this.checking = null))));
    if (owner === 'another') throw bucketOfAnother();
  }

  /** Reads the marker again. */
  async bucketIsOurs(): Promise<boolean> {
    return isOurs(await this.owner());
  }

  /** Whether another installation has marked the bucket. */
  async bucketIsOthers(): Promise<boolean> {
    return (recall(this.seen, REMEMBERED_FOR_STATUS_MS) ?? (await this.owner())) === 'another';
  }

  async owner(): Promise<BucketOwner> {
    await this.readMarker();
    return this.seen!.owner;
  }

  async readMarker(): Promise<StoredMarker | null> {
    const found = await this.storage.readTagged(MARKER_KEY);
    const marker = found && { ...parseMarker(found.bytes.toString()), etag: found.etag };
    const owner = marker === null ? 'nobody' : ownerIn(marker, await this.ownId());
    if (owner !== this.seen?.owner) report(owner);
    this.seen = { owner, at: Date.now() };
    return marker;
  }

  /** Writes a marker with this nonce. False if somebody else has changed the marker since it was read. */
  async replaceMarker(seen: StoredMarker | null, flag: MarkerFlag, nonce: string): Promise<boolean> {
    const installationId = await this.ownId();
    const text = Buffer.from(formatMarker({ installationId, flag, nonce }));
    await this.storage.writeIfUnchanged(MARKER_KEY, text, 'text/plain', seen?.etag ?? null);
    // Not the response to the write: a store may ignore the condition, and a repeated request does not meet its own.
    const written = await this.readMarker();
    return written?.installationId === installationId && written.nonce === nonce;
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

  /** The owner, after claiming a bucket that has none and is not in use. A copy of a database never does that by itself. */
  async check(): Promise<BucketOwner> {
    const owner = await this.claimIfUnused();
    this.checked = { owner, at: Date.now() };
    return owner;
  }

  /**
   * Makes this database the one that controls the bucket, at an operator's request. `takeOver`: also if the bucket belongs to another
   * installation or to nobody. Null if somebody else has changed the marker at the same time.
   */
  async claim({ takeOver = false }): Promise<BucketOwner | null> {
    const seen = await this.readMarkerOrNothing();
    const owner = seen === null ? 'nobody' : this.seen!.owner;
    const inUse = seen === null && !takeOver ? await this.bucketIsInUse() : null;
    if (!takeOver && (owner === 'another' || inUse === true)) return owner;
    const fresh = inUse === false ? 'owned' : 'unverified';
    const flag = takeOver ? 'taken_over' : (seen?.flag ?? fresh);
    await this.ownId();
    const nonce = newNonce();
    // The database first, so that the marker never says what no database knows.
    await this.repository.prepareClaim(nonce);
    if (!(await this.replaceMarker(seen, flag, nonce))) return null;
    await this.repository.completeClaim(nonce);
    return this.seen!.owner;
  }

  private async claimIfUnused(): Promise<BucketOwner> {
    if ((await this.readMarkerOrNothing()) !== null) return this.seen!.owner;
    const inUse = await this.bucketIsInUse();
    if (inUse === true) return 'nobody';
    await this.ownId();
    const nonce = await this.repository.prepareFirst(newNonce());
    if (nonce === null) return 'nobody';
    // If two installations claim it at the same time, the store accepts one. Reading it again shows which.
    if (await this.replaceMarker(null, inUse === null ? 'unverified' : 'owned', nonce))
      await this.repository.promote(nonce);
    return this.seen!.owner;
  }

  /** If a key may not list the bucket, stores hide which objects exist: a missing marker looks forbidden. */
  private async readMarkerOrNothing(): Promise<StoredMarker | null> {
    try {
      return await this.readMarker();
    } catch (error) {
      const forbidden = error instanceof Problem && error.code === 'storage_forbidden';
      if (forbidden && (await this.bucketIsInUse()) === null) return null;
      throw error;
    }
  }

  private async ownId(): Promise<string> {
    return (this.id ??= await this.repository.findOrCreateId());
  }
}

export function newNonce(): string {
  return randomUUID();
}

/** A bucket that may be cleaned up. */
export function isOurs(owner: BucketOwner): boolean {
  return owner === 'us' || owner === 'taken_over';
}

function ownerIn({ installationId, flag }: Marker, ownId: string): BucketOwner {
  if (installationId !== ownId) return 'another';
  return flag === 'owned' ? 'us' : flag;
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
