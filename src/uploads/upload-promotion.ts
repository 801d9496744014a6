import { Injectable } from '@nestjs/common';
import { Problem } from '../common/errors/problem.js';
import type { WorkOwner } from '../common/fair-limiter.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { MediaInspector } from '../media/media-inspector.js';
import { mediaProblem } from '../media/media-problem.js';
import type { MediaFacts, SupportedMime } from '../media/media.types.js';
import { assertType, HEAD_BYTES } from '../media/sniff.js';
import { originalKey, uploadKey } from '../storage/object-key.js';
import { StorageService, type UploadedPart } from '../storage/storage.service.js';
import type { HeldSession } from './finalize-lease.js';
import { hashStream } from '../storage/hash-stream.js';
import { TempFiles } from '../storage/temp-files.js';
import { isImage } from './upload.rules.js';

export interface VerifiedFacts extends MediaFacts {
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** The copy that is verified, and what it was declared to be. */
interface Copy {
  readonly key: string;
  readonly sizeBytes: number;
  readonly mimeType: SupportedMime;
  readonly sha256: string | null;
  readonly owner: WorkOwner;
}

const READ_URL_SECONDS = 3_600;

/**
 * Copies what was uploaded to a key that no URL was ever issued for, and verifies the copy. Whoever writes to the upload's key
 * again, at any moment, changes nothing that was verified.
 */
@Injectable()
export class UploadPromotion {
  constructor(
    private readonly storage: StorageService,
    private readonly inspector: MediaInspector,
    private readonly tempFiles: TempFiles,
    @InjectConfig() private readonly config: Config,
  ) {}

  async promoteAndVerify(
    session: HeldSession['session'],
    parts: readonly UploadedPart[] | null,
    signal: AbortSignal,
  ): Promise<VerifiedFacts> {
    const from = uploadKey(session.clientId, session.id);
    const key = originalKey(session.clientId, session.assetId, session.attempt);
    await this.requireUploaded(session, from, parts);
    const { mimeType: contentType, expectedSizeBytes: sizeBytes } = session;
    this.requireAllowedSize(contentType, sizeBytes);
    if (!(await this.storage.copy(from, key, { contentType, sizeBytes }, signal)))
      throw new Problem('upload_incomplete');

    const stored = await this.storage.head(key);
    if (stored === null) throw copyMissing();
    requireSize(stored.sizeBytes, sizeBytes);
    const owner = { clientId: session.clientId, priority: 'interactive' as const };
    const copy = { key, sizeBytes, mimeType: contentType as SupportedMime, sha256: session.sha256, owner };
    return { ...(await this.verify(copy, signal)), sizeBytes };
  }

  private async requireUploaded(
    session: HeldSession['session'],
    key: string,
    given: readonly UploadedPart[] | null,
  ): Promise<void> {
    let stored = await this.storage.head(key);
    if (stored === null && session.multipartUploadId !== null) {
      await this.completeParts(session, key, session.multipartUploadId, given);
      stored = await this.storage.head(key);
    }
    if (stored === null) throw new Problem('upload_incomplete');
    requireSize(stored.sizeBytes, session.expectedSizeBytes);
  }

  /** Only when all of it is there: putting the parts together ends the upload, and the missing ones could not follow. */
  private async completeParts(
    session: HeldSession['session'],
    key: string,
    uploadId: string,
    given: readonly UploadedPart[] | null,
  ): Promise<void> {
    const stored = await this.storage.listParts(key, uploadId);
    const sizes = new Map(stored.map(({ partNumber, sizeBytes }) => [partNumber, sizeBytes ?? 0]));
    // A page that cannot see ETags need not name the parts: the store knows them.
    const parts = [...(given ?? stored)].sort((a, b) => a.partNumber - b.partNumber);
    const total = parts.reduce((sum, { partNumber }) => sum + (sizes.get(partNumber) ?? 0), 0);
    if (total !== session.expectedSizeBytes) {
      const detail = `Expected ${session.expectedSizeBytes} bytes, but the parts contain ${total}.`;
      throw new Problem('upload_incomplete', detail);
    }
    await this.storage.completeMultipart(key, uploadId, parts, total);
  }

  /** A session may have been opened under another limit. */
  private requireAllowedSize(mimeType: string, sizeBytes: number): void {
    const { imageBytes } = this.config.limits;
    if (isImage(mimeType) && sizeBytes > imageBytes)
      throw new Problem('media_invalid', `An image may have at most ${imageBytes} bytes.`);
  }

  /** The cheap checks first: bytes of another type are refused before anything is downloaded. */
  private async verify(copy: Copy, signal: AbortSignal): Promise<MediaFacts & { sha256: string }> {
    try {
      assertType(await this.readHead(copy, signal), copy.mimeType);
      return copy.mimeType === 'video/mp4'
        ? await this.verifyVideo(copy, signal)
        : await this.verifyImage(copy, signal);
    } catch (error) {
      throw mediaProblem(error);
    }
  }

  private async readHead({ key, sizeBytes }: Copy, signal: AbortSignal): Promise<Buffer> {
    if (sizeBytes === 0) return Buffer.alloc(0);
    const end = Math.min(HEAD_BYTES, sizeBytes) - 1;
    const head = await this.storage.readAll(key, { start: 0, end }, signal);
    if (head === null) throw copyMissing();
    return head;
  }

  /** One pass through the store's bytes: hashed on their way to a local file, which is then decoded. */
  private async verifyImage(copy: Copy, signal: AbortSignal) {
    const { owner, sizeBytes, mimeType } = copy;
    const work = async (path: string) => {
      const sha256 = await this.hash(copy, path, signal);
      return { ...(await this.inspector.inspect(owner, { kind: 'file', path }, mimeType, signal)), sha256 };
    };
    return this.tempFiles.use(owner, sizeBytes, work, signal);
  }

  /** Inspected first, by ranges: a wrong file is refused before gigabytes are hashed. */
  private async verifyVideo(copy: Copy, signal: AbortSignal) {
    const { owner, key, sizeBytes, mimeType } = copy;
    const url = await this.storage.presignRead(key, READ_URL_SECONDS);
    const facts = await this.inspector.inspect(owner, { kind: 'url', url, sizeBytes }, mimeType, signal);
    return { ...facts, sha256: await this.hash(copy, null, signal) };
  }

  /** The SHA-256 of the copy; throws when another one was declared. */
  private async hash({ key, sizeBytes, sha256 }: Copy, path: string | null, signal: AbortSignal) {
    const stream = await this.storage.read(key, undefined, signal);
    if (stream === null) throw copyMissing();
    const actual = await hashStream(stream, { sizeBytes, path, idleMs: this.storage.timeoutMs }, signal);
    if (sha256 !== null && sha256 !== actual) throw new Problem('checksum_mismatch');
    return actual;
  }
}

function copyMissing(): Problem {
  return new Problem('storage_unavailable', 'The copy of the file is not there.', { retryAfter: 5 });
}

function requireSize(actual: number, expected: number): void {
  if (actual !== expected) {
    throw new Problem('size_mismatch', `Expected ${expected} bytes, but ${actual} are stored.`);
  }
}
