import { Injectable } from '@nestjs/common';
import { Problem } from '../common/errors/problem.js';
import { MediaInspector } from '../media/media-inspector.js';
import { mediaProblem } from '../media/media-problem.js';
import type { MediaFacts, SupportedMime } from '../media/media.types.js';
import { originalKey, uploadKey } from '../storage/object-key.js';
import { StorageService, type UploadedPart } from '../storage/storage.service.js';
import type { HeldSession } from './finalize-lease.js';
import { TempFiles } from '../storage/temp-files.js';
import { hashStream } from '../storage/hash-stream.js';

export interface VerifiedFacts extends MediaFacts {
  readonly sizeBytes: number;
  readonly sha256: string;
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
  ) {}

  async promoteAndVerify(
    session: HeldSession['session'],
    parts: readonly UploadedPart[] | null,
    signal: AbortSignal,
  ): Promise<VerifiedFacts> {
    const from = uploadKey(session.clientId, session.id);
    const to = originalKey(session.clientId, session.assetId, session.attempt);
    await this.requireUploaded(session, from, parts);
    const { mimeType: contentType, expectedSizeBytes: sizeBytes } = session;
    if (!(await this.storage.copy(from, to, { contentType, sizeBytes }, signal)))
      throw new Problem('upload_incomplete');

    const copy = await this.storage.head(to);
    if (copy === null)
      throw new Problem('storage_unavailable', 'The copy of the file is not there.', { retryAfter: 5 });
    requireSize(copy.sizeBytes, session.expectedSizeBytes);
    const { sha256, ...facts } = await this.inspect(
      to,
      copy.sizeBytes,
      session.mimeType as SupportedMime,
      signal,
    );
    if (session.sha256 !== null && session.sha256 !== sha256) throw new Problem('checksum_mismatch');
    return { ...facts, sha256, sizeBytes: copy.sizeBytes };
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
      const detail = `${session.expectedSizeBytes} bytes were announced, the parts have ${total}.`;
      throw new Problem('upload_incomplete', detail);
    }
    await this.storage.completeMultipart(key, uploadId, parts, total);
  }

  private async inspect(key: string, sizeBytes: number, mimeType: SupportedMime, signal: AbortSignal) {
    try {
      return mimeType === 'video/mp4'
        ? await this.inspectVideo(key, sizeBytes, signal)
        : await this.inspectImage(key, sizeBytes, mimeType, signal);
    } catch (error) {
      throw mediaProblem(error);
    }
  }

  /** One pass through the store's bytes: hashed on their way to a local file, which is then decoded. */
  private async inspectImage(key: string, sizeBytes: number, mimeType: SupportedMime, signal: AbortSignal) {
    return this.tempFiles.use(async (path) => {
      const sha256 = await this.hash(key, sizeBytes, path, signal);
      return { ...(await this.inspector.inspect({ kind: 'file', path }, mimeType, signal)), sha256 };
    });
  }

  /** Looked at first, by ranges: a wrong file is refused before gigabytes are hashed. */
  private async inspectVideo(key: string, sizeBytes: number, signal: AbortSignal) {
    const url = await this.storage.presignRead(key, READ_URL_SECONDS);
    const facts = await this.inspector.inspect({ kind: 'url', url, sizeBytes }, 'video/mp4', signal);
    return { ...facts, sha256: await this.hash(key, sizeBytes, null, signal) };
  }

  private async hash(key: string, sizeBytes: number, path: string | null, signal: AbortSignal) {
    const stream = await this.storage.read(key, undefined, signal);
    if (stream === null)
      throw new Problem('storage_unavailable', 'The copy of the file is not there.', { retryAfter: 5 });
    return hashStream(stream, { sizeBytes, path, idleMs: this.storage.timeoutMs }, signal);
  }
}

function requireSize(actual: number, expected: number): void {
  if (actual !== expected) {
    throw new Problem('size_mismatch', `${expected} bytes were announced, ${actual} are stored.`);
  }
}
