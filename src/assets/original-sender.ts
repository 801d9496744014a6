import { Injectable } from '@nestjs/common';
import contentDisposition from 'content-disposition';
import type { Request, Response } from 'express';
import { Problem } from '../common/errors/problem.js';
import { requestedRange } from '../common/http/byte-range.js';
import { sendStream } from '../common/http/send-stream.js';
import { logger } from '../common/logging/logger.js';
import type { Asset } from '../database/entities/asset.entity.js';
import { originalKey } from '../storage/object-key.js';
import { type ByteRange, StorageService } from '../storage/storage.service.js';
import { downloadName } from './download-name.js';

/** Sends an asset's stored bytes straight from the store: whole or a range, never through a public address. */
@Injectable()
export class OriginalSender {
  constructor(private readonly storage: StorageService) {}

  async send(
    request: Request,
    response: Response,
    asset: Asset,
    disposition: 'attachment' | 'inline',
  ): Promise<void> {
    response.setHeader('ETag', `"${asset.sha256}"`);
    response.setHeader('Cache-Control', 'private, no-cache');
    response.setHeader('Accept-Ranges', 'bytes');
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    const range = requestedRange(request, asset.sizeBytes, `"${asset.sha256}"`);
    response.setHeader('Content-Type', asset.mimeType);
    response.setHeader(
      'Content-Disposition',
      contentDisposition.create(downloadName(asset.originalFilename, asset.mimeType), { type: disposition }),
    );
    // Whatever a browser makes of these bytes, it must not run them.
    response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
    response.setHeader('Content-Length', range ? range.end - range.start + 1 : asset.sizeBytes);
    if (range)
      response.status(206).setHeader('Content-Range', `bytes ${range.start}-${range.end}/${asset.sizeBytes}`);
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    await sendStream(response, (signal) => this.open(asset, range, signal));
  }

  private async open(asset: Asset, range: ByteRange | null, signal: AbortSignal) {
    const stream = await this.storage.read(
      originalKey(asset.clientId, asset.id, asset.attempt),
      range ?? undefined,
      signal,
    );
    if (stream === null) {
      logger.error(
        { alarm: 'object_missing', assetId: asset.id, clientId: asset.clientId },
        'the object of an asset is missing',
      );
      throw new Problem('storage_unavailable', 'The stored file is missing.', { retryAfter: 60 });
    }
    return stream;
  }
}
