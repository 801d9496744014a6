import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Problem } from '../common/errors/problem.js';
import { sendFile } from '../common/http/send-file.js';
import { logger } from '../common/logging/logger.js';
import type { StoredAsset } from '../database/entities/asset.entity.js';
import { originalKey } from '../storage/object-key.js';
import { type ByteRange, StorageService } from '../storage/storage.service.js';
import { downloadName } from './file-names.rules.js';

/** Sends an asset's stored bytes directly from the store: the whole file or a range, never through a public address. */
@Injectable()
export class OriginalSender {
  constructor(private readonly storage: StorageService) {}

  async send(
    request: Request,
    response: Response,
    asset: StoredAsset,
    disposition: 'attachment' | 'inline',
  ): Promise<void> {
    const file = {
      ...asset,
      contentType: asset.mimeType,
      filename: downloadName(asset.originalFilename, asset.mimeType),
      disposition,
    };
    await sendFile(request, response, file, (range, signal) => this.open(asset, range, signal));
  }

  private async open(asset: StoredAsset, range: ByteRange | null, signal: AbortSignal) {
    const key = originalKey(asset.clientId, asset.id, asset.attempt);
    const stream = await this.storage.read(key, range ?? undefined, signal);
    if (stream === null) {
      logger.error(
        { alarm: 'object_missing', assetId: asset.id, clientId: asset.clientId },
        'stored object of an asset is missing',
      );
      throw new Problem('storage_unavailable', 'The stored file is missing.', { retryAfter: 60 });
    }
    return stream;
  }
}
