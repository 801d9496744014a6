import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { downloadName } from '../assets/file-names.rules.js';
import { Problem } from '../common/errors/problem.js';
import { sendFile } from '../common/http/send-file.js';
import { renditionKey } from '../storage/object-key.js';
import { type ByteRange, StorageService } from '../storage/storage.service.js';
import { HotRenditions } from './hot-renditions.js';
import { contentTypeOf, type Rendition } from './rendition.rules.js';
import type { ShownAsset } from './renditions.repository.js';
import type { ReadyRendition } from './renditions.service.js';

type Disposition = 'inline' | 'attachment';

/** Sends renditions from memory or from the store. */
@Injectable()
export class RenditionSender {
  constructor(
    private readonly hot: HotRenditions,
    private readonly storage: StorageService,
  ) {}

  /** `get` finds or makes it; called with `lost` if its record is ready but the object is missing. */
  async send(
    request: Request,
    response: Response,
    asset: ShownAsset,
    rendition: Rendition,
    disposition: Disposition,
    get: (state?: 'lost') => Promise<ReadyRendition>,
  ): Promise<void> {
    const send = async (ready: ReadyRendition) =>
      this.sendReady(request, response, asset, rendition, disposition, ready);
    if (await send(await get())) return;
    // A new one may have different bytes.
    if (await send(await get('lost'))) return;
    throw new Problem('storage_unavailable', 'The stored preview is missing.', { retryAfter: 5 });
  }

  private async sendReady(
    request: Request,
    response: Response,
    asset: ShownAsset,
    rendition: Rendition,
    disposition: Disposition,
    ready: ReadyRendition,
  ): Promise<boolean> {
    const contentType = contentTypeOf(rendition.format);
    if (ready.bytes) this.hot.put(ready.sha256, ready.bytes);
    const file = {
      sha256: ready.sha256,
      sizeBytes: ready.sizeBytes,
      bytes: ready.bytes ?? this.hot.get(ready.sha256),
      contentType,
      filename: downloadName(asset.title, contentType),
      disposition,
    };
    const key = renditionKey(asset.clientId, asset.id, rendition.name);
    return sendFile(request, response, file, (range, signal) => this.open(key, ready, range, signal));
  }

  /** For renditions that are not in memory. Small ones are kept from now on. */
  private async open(key: string, ready: ReadyRendition, range: ByteRange | null, signal: AbortSignal) {
    if (!this.hot.accepts(ready.sizeBytes)) return this.storage.read(key, range ?? undefined, signal);
    const bytes = await this.storage.readAll(key, undefined, signal);
    if (bytes?.length !== ready.sizeBytes) return null;
    this.hot.put(ready.sha256, bytes);
    return range ? bytes.subarray(range.start, range.end + 1) : bytes;
  }
}
