import { Injectable } from '@nestjs/common';
import { Problem } from '../common/errors/problem.js';
import type { WorkOwner } from '../common/fair-limiter.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { MediaInspector } from '../media/media-inspector.js';
import { mediaProblem } from '../media/media-problem.js';
import type { MediaDetails, MediaFacts, MediaSource, SupportedMime } from '../media/media.types.js';
import { isKeptAsFile, type UploadedPicture } from '../preview/fresh-pictures.js';
import { requireType, HEAD_BYTES } from '../media/sniff.js';
import { originalKey, uploadKey } from '../storage/object-key.js';
import { SMALL_FILE_BYTES, SmallFiles } from '../storage/small-files.js';
import { type ByteRange, type OpenObject, StorageService } from '../storage/storage.service.js';
import type { UploadedPart } from '../storage/multipart-uploads.js';
import type { HeldSession } from './finalize-lease.js';
import { collectStream, firstBytes, hashStream } from '../storage/hash-stream.js';
import { TempFiles } from '../storage/temp-files.js';
import { isImage } from './upload.rules.js';

export interface VerifiedFacts extends MediaFacts {
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly mediaFacts: MediaDetails;
}

export interface Verified {
  readonly facts: VerifiedFacts;
  /** If it was requested and exists. */
  readonly picture: UploadedPicture | null;
}

/** The copy that is verified, and its declared properties. */
interface Copy {
  readonly key: string;
  readonly sizeBytes: number;
  readonly mimeType: SupportedMime;
  readonly sha256: string | null;
  readonly owner: WorkOwner;
  readonly pictureSide: number | null;
}

const READ_URL_SECONDS = 3_600;

/**
 * Copies the upload to a key for which no URL was ever issued, and verifies the copy. Overwriting the upload at any moment therefore
 * changes nothing that was verified.
 */
@Injectable()
export class UploadPromotion {
  constructor(
    private readonly storage: StorageService,
    private readonly inspector: MediaInspector,
    private readonly smallFiles: SmallFiles,
    private readonly tempFiles: TempFiles,
    @InjectConfig() private readonly config: Config,
  ) {}

  /** `pictureSide`: also requests the picture, at least this many pixels on the longer side if the original has them. */
  async promoteAndVerify(
    session: HeldSession['session'],
    parts: readonly UploadedPart[] | null,
    pictureSide: number | null,
    signal: AbortSignal,
  ): Promise<Verified> {
    const key = originalKey(session.clientId, session.assetId, session.attempt);
    await this.copyUpload(session, key, parts, signal);
    const copy: Copy = {
      key,
      sizeBytes: session.expectedSizeBytes,
      mimeType: session.mimeType as SupportedMime,
      sha256: session.sha256,
      owner: { clientId: session.clientId, priority: 'interactive' },
      pictureSide,
    };
    return this.verify(copy, signal).catch((error: unknown) => {
      throw mediaProblem(error);
    });
  }

  /** The copy itself shows whether there is an upload, so no request is spent on checking first. */
  private async copyUpload(
    session: HeldSession['session'],
    key: string,
    parts: readonly UploadedPart[] | null,
    signal: AbortSignal,
  ): Promise<void> {
    const from = uploadKey(session.clientId, session.id);
    const { mimeType: contentType, expectedSizeBytes: sizeBytes, multipartUploadId } = session;
    const copy = () => this.storage.copy(from, key, { contentType, sizeBytes }, signal);
    if (await copy()) return;
    if (multipartUploadId !== null) {
      await this.completeParts(session, from, multipartUploadId, parts);
      if (await copy()) return;
    }
    throw new Problem('upload_incomplete');
  }

  /** Only if the upload is complete: assembling the parts ends the upload, and missing ones could no longer follow. */
  private async completeParts(
    session: HeldSession['session'],
    key: string,
    uploadId: string,
    given: readonly UploadedPart[] | null,
  ): Promise<void> {
    const stored = await this.storage.multipart.listParts(key, uploadId);
    const sizes = new Map(stored.map(({ partNumber, sizeBytes }) => [partNumber, sizeBytes ?? 0]));
    // A page that cannot read ETags need not list the parts: the store knows them.
    const parts = [...(given ?? stored)].sort((a, b) => a.partNumber - b.partNumber);
    const total = parts.reduce((sum, { partNumber }) => sum + (sizes.get(partNumber) ?? 0), 0);
    if (total !== session.expectedSizeBytes) {
      const detail = `Expected ${session.expectedSizeBytes} bytes, but the parts contain ${total}.`;
      throw new Problem('upload_incomplete', detail);
    }
    await this.storage.multipart.complete(key, uploadId, parts, total);
  }

  private async verify(copy: Copy, signal: AbortSignal): Promise<Verified> {
    if (isImage(copy.mimeType) && copy.sizeBytes <= SMALL_FILE_BYTES)
      return this.verifySmallImage(copy, signal);
    // A wrong type is rejected before anything large is downloaded.
    const end = HEAD_BYTES - 1;
    const { body } = await this.open(copy, { start: 0, end }, signal);
    requireType(await firstBytes(body, HEAD_BYTES, this.storage.timeoutMs), copy.mimeType);
    return copy.mimeType === 'video/mp4' ? this.verifyVideo(copy, signal) : this.verifyImage(copy, signal);
  }

  /** Everything from one response of the store: first the size, then the first bytes, the hash and the pixels. */
  private verifySmallImage(copy: Copy, signal: AbortSignal): Promise<Verified> {
    const { owner, sizeBytes, mimeType } = copy;
    const work = async () => {
      const { body } = await this.open(copy, undefined, signal);
      const head = { bytes: HEAD_BYTES, check: (first: Buffer) => requireType(first, mimeType) };
      const options = { sizeBytes, idleMs: this.storage.timeoutMs, head };
      const { bytes, sha256 } = await collectStream(body, options, signal);
      const checksum = requireChecksum(copy, sha256);
      const source = { kind: 'bytes' as const, bytes };
      if (copy.pictureSide === null || !isKeptAsFile(mimeType, sizeBytes))
        return this.inspect(copy, source, checksum, signal);
      const { facts } = await this.inspect({ ...copy, pictureSide: null }, source, checksum, signal);
      return { facts, picture: source };
    };
    return this.smallFiles.use(owner, sizeBytes, work, signal);
  }

  /** One pass through the store's bytes: hashed on the way to a local file, which is then decoded. */
  private verifyImage(copy: Copy, signal: AbortSignal): Promise<Verified> {
    const work = async (path: string) => {
      const sha256 = await this.hash(copy, path, signal);
      return this.inspect(copy, { kind: 'file', path }, sha256, signal);
    };
    return this.tempFiles.use(copy.owner, copy.sizeBytes, work, signal);
  }

  /** Inspected first, in ranges: an invalid file is rejected before gigabytes are hashed. */
  private async verifyVideo(copy: Copy, signal: AbortSignal): Promise<Verified> {
    const { key, sizeBytes } = copy;
    const url = await this.storage.presigner.read(key, READ_URL_SECONDS);
    const { facts } = await this.inspect(copy, { kind: 'url', url, sizeBytes }, '', signal);
    return { facts: { ...facts, sha256: await this.hash(copy, null, signal) }, picture: null };
  }

  private async inspect(
    { owner, mimeType, sizeBytes, pictureSide }: Copy,
    source: MediaSource,
    sha256: string,
    signal: AbortSignal,
  ): Promise<Verified> {
    const { facts, details, picture } = await this.inspector.look(
      owner,
      source,
      mimeType,
      pictureSide,
      signal,
    );
    return {
      facts: { ...facts, sizeBytes, sha256, mediaFacts: details },
      picture: picture && { kind: 'pixels', picture },
    };
  }

  /** The SHA-256 of the copy; throws if a different one was declared. */
  private async hash(copy: Copy, path: string | null, signal: AbortSignal): Promise<string> {
    const { body } = await this.open(copy, undefined, signal);
    const options = { sizeBytes: copy.sizeBytes, path, idleMs: this.storage.timeoutMs };
    return requireChecksum(copy, await hashStream(body, options, signal));
  }

  /** A file with a wrong size, or over the limit for images, is not read at all. */
  private async open(copy: Copy, range: ByteRange | undefined, signal: AbortSignal): Promise<OpenObject> {
    const object = await this.storage.open(copy.key, range, signal);
    if (object === null)
      throw new Problem('storage_unavailable', 'The copy of the file is missing.', { retryAfter: 5 });
    try {
      requireSize(object.sizeBytes, copy.sizeBytes);
      this.requireAllowedSize(copy);
      return object;
    } catch (error) {
      object.body.destroy();
      throw error;
    }
  }

  /** The session may have been created with a different limit. */
  private requireAllowedSize({ mimeType, sizeBytes }: Copy): void {
    const { imageBytes } = this.config.limits;
    if (isImage(mimeType) && sizeBytes > imageBytes)
      throw new Problem('media_invalid', `An image can have at most ${imageBytes} bytes.`);
  }
}

function requireChecksum({ sha256 }: Copy, actual: string): string {
  if (sha256 !== null && sha256 !== actual) throw new Problem('checksum_mismatch');
  return actual;
}

function requireSize(actual: number, expected: number): void {
  if (actual !== expected) {
    throw new Problem('size_mismatch', `Expected ${expected} bytes, but the stored file has ${actual}.`);
  }
}
