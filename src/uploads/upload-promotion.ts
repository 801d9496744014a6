import { Injectable } from '@nestjs/common';
import { Problem } from '../common/errors/problem.js';
import type { SupportedMime } from '../media/file-types.js';
import { originalKey, uploadKey } from '../storage/object-key.js';
import type { UploadedPart } from '../storage/multipart-uploads.js';
import { StorageService } from '../storage/storage.service.js';
import type { HeldSession } from './finalize-lease.js';
import { type Keep, OriginalVerification, type VerifiedFacts } from './original-verification.js';

/**
 * Copies the upload to a key for which no URL was ever issued, and verifies the copy. Overwriting the upload at any moment therefore
 * changes nothing that was verified.
 */
@Injectable()
export class UploadPromotion {
  constructor(
    private readonly storage: StorageService,
    private readonly verification: OriginalVerification,
  ) {}

  async promoteAndVerify(
    session: HeldSession['session'],
    parts: readonly UploadedPart[] | null,
    signal: AbortSignal,
    keep?: Keep,
  ): Promise<VerifiedFacts> {
    const key = originalKey(session.clientId, session.assetId, session.attempt);
    await this.copyUpload(session, key, parts, signal);
    const original = {
      key,
      sizeBytes: session.expectedSizeBytes,
      mimeType: session.mimeType as SupportedMime,
      sha256: session.sha256,
      owner: { clientId: session.clientId, priority: 'interactive' as const },
    };
    return this.verification.verify(original, signal, keep);
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
}
