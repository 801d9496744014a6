import { Injectable } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { Problem } from '../common/errors/problem.js';
import type { WorkOwner } from '../common/fair-limiter.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { MediaDecoder } from '../media/media-decoder.js';
import { mediaProblem } from '../media/media-problem.js';
import { isImage, isVideo, type SupportedMime } from '../media/file-types.js';
import type { MediaDetails, MediaFacts, MediaSource } from '../media/media.types.js';
import { HEAD_BYTES, requireType } from '../media/sniff.js';
import { byteBudget } from '../storage/byte-budget.js';
import { collectStream, firstBytes, hashStream } from '../storage/hash-stream.js';
import { type ByteRange, type OpenObject, StorageService } from '../storage/storage.service.js';
import { TempFiles } from '../storage/temp-files.js';

export interface VerifiedFacts extends MediaFacts {
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly mediaFacts: MediaDetails;
}

/** Receives the bytes of a picture that was verified, unless it is very large. */
export type Keep = (bytes: Buffer) => void;

/** A stored file below a key for which no URL was ever issued, and its declared properties. */
export interface StoredOriginal {
  readonly key: string;
  readonly sizeBytes: number;
  readonly mimeType: SupportedMime;
  /** Null if it was not declared. */
  readonly sha256: string | null;
  readonly owner: WorkOwner;
}

const READ_URL_SECONDS = 3_600;
const MIB = 1024 * 1024;
/**
 * Files up to this size are read in one go and processed in memory. About as much is in socket buffers anyway by the time a download is
 * cancelled.
 */
const SMALL_FILE_BYTES = 4 * MIB;
/** The memory for small files that are being processed. */
const SMALL_FILES_BYTES = 64 * MIB;
/** Larger pictures are rare, and a few of them would fill the memory for fresh uploads. */
const MAX_KEPT_BYTES = 16 * MIB;

/** Verifies a stored file before it becomes an asset, and extracts its facts. Every asset went through here. */
@Injectable()
export class OriginalVerification {
  private readonly smallFiles = byteBudget(SMALL_FILES_BYTES);

  constructor(
    private readonly storage: StorageService,
    private readonly decoder: MediaDecoder,
    private readonly tempFiles: TempFiles,
    @InjectConfig() private readonly config: Config,
  ) {}

  async verify(original: StoredOriginal, signal: AbortSignal, keep?: Keep): Promise<VerifiedFacts> {
    return this.verifyContent(original, signal, keep).catch((error: unknown) => {
      throw mediaProblem(error);
    });
  }

  private async verifyContent(
    original: StoredOriginal,
    signal: AbortSignal,
    keep?: Keep,
  ): Promise<VerifiedFacts> {
    if (isImage(original.mimeType) && original.sizeBytes <= SMALL_FILE_BYTES)
      return this.verifySmallImage(original, signal, keep);
    // A wrong type is rejected before anything large is downloaded.
    const end = HEAD_BYTES - 1;
    const { body } = await this.open(original, { start: 0, end }, signal);
    requireType(await firstBytes(body, HEAD_BYTES, this.storage.timeoutMs), original.mimeType);
    return isVideo(original.mimeType)
      ? this.verifyVideo(original, signal)
      : this.verifyImage(original, signal, keep);
  }

  /** Everything from one response of the store: first the size, then the first bytes, the hash and the pixels. */
  private verifySmallImage(
    original: StoredOriginal,
    signal: AbortSignal,
    keep?: Keep,
  ): Promise<VerifiedFacts> {
    const { owner, sizeBytes, mimeType } = original;
    const work = async () => {
      const { body } = await this.open(original, undefined, signal);
      const head = { bytes: HEAD_BYTES, check: (first: Buffer) => requireType(first, mimeType) };
      const options = { sizeBytes, idleMs: this.storage.timeoutMs, head };
      const { bytes, sha256 } = await collectStream(body, options, signal);
      const checksum = requireChecksum(original, sha256);
      const facts = await this.inspect(original, { kind: 'bytes', bytes }, checksum, signal);
      keep?.(bytes);
      return facts;
    };
    return this.smallFiles.run(owner, work, { cost: sizeBytes, signal });
  }

  /** One pass through the store's bytes: hashed on the way to a local file, which is then decoded. */
  private verifyImage(original: StoredOriginal, signal: AbortSignal, keep?: Keep): Promise<VerifiedFacts> {
    const work = async (path: string) => {
      const sha256 = await this.hash(original, path, signal);
      const facts = await this.inspect(original, { kind: 'file', path }, sha256, signal);
      if (keep && original.sizeBytes <= MAX_KEPT_BYTES) keep(await readFile(path));
      return facts;
    };
    return this.tempFiles.use(original.owner, original.sizeBytes, work, signal);
  }

  /** Inspected first, in ranges: an invalid file is rejected before gigabytes are hashed. */
  private async verifyVideo(original: StoredOriginal, signal: AbortSignal): Promise<VerifiedFacts> {
    const { key, sizeBytes } = original;
    const url = await this.storage.presigner.read(key, READ_URL_SECONDS);
    const facts = await this.inspect(original, { kind: 'url', url, sizeBytes }, '', signal);
    return { ...facts, sha256: await this.hash(original, null, signal) };
  }

  private async inspect(
    { owner, mimeType, sizeBytes }: StoredOriginal,
    source: MediaSource,
    sha256: string,
    signal: AbortSignal,
  ): Promise<VerifiedFacts> {
    const { facts, details } = await this.decoder.inspect(owner, source, mimeType, signal);
    return { ...facts, sizeBytes, sha256, mediaFacts: details };
  }

  /** The SHA-256 of the file; throws if a different one was declared. */
  private async hash(original: StoredOriginal, path: string | null, signal: AbortSignal): Promise<string> {
    const { body } = await this.open(original, undefined, signal);
    const options = { sizeBytes: original.sizeBytes, path, idleMs: this.storage.timeoutMs };
    return requireChecksum(original, await hashStream(body, options, signal));
  }

  /** A file with a wrong size, or over the limit for images, is not read at all. */
  private async open(
    original: StoredOriginal,
    range: ByteRange | undefined,
    signal: AbortSignal,
  ): Promise<OpenObject> {
    const object = await this.storage.open(original.key, range, signal);
    if (object === null)
      throw new Problem('storage_unavailable', 'The stored file is missing.', { retryAfter: 5 });
    try {
      requireSize(object.sizeBytes, original.sizeBytes);
      this.requireAllowedSize(original);
      return object;
    } catch (error) {
      object.body.destroy();
      throw error;
    }
  }

  /** The session may have been created with a different limit. */
  private requireAllowedSize({ mimeType, sizeBytes }: StoredOriginal): void {
    const { imageBytes } = this.config.limits;
    if (isImage(mimeType) && sizeBytes > imageBytes)
      throw new Problem('media_invalid', `An image can have at most ${imageBytes} bytes.`);
  }
}

function requireChecksum({ sha256 }: StoredOriginal, actual: string): string {
  if (sha256 !== null && sha256 !== actual) throw new Problem('checksum_mismatch');
  return actual;
}

function requireSize(actual: number, expected: number): void {
  if (actual !== expected) {
    throw new Problem('size_mismatch', `Expected ${expected} bytes, but the stored file has ${actual}.`);
  }
}
