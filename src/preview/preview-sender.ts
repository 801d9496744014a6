import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requireAssetId } from '../assets/assets.service.js';
import { downloadName } from '../assets/file-names.rules.js';
import { OriginalSender } from '../assets/original-sender.js';
import type { ClientScope } from '../auth/principal.js';
import { Problem } from '../common/errors/problem.js';
import { sendFile } from '../common/http/send-file.js';
import { renditionKey } from '../storage/object-key.js';
import { type ByteRange, StorageService } from '../storage/storage.service.js';
import { HotRenditions } from './hot-renditions.js';
import {
  CONTENT_TYPES,
  formatFor,
  isShowable,
  type PreviewSize,
  type Rendition,
  renditionFor,
} from './rendition.rules.js';
import { RenditionsRepository, type ShownAsset } from './renditions.repository.js';
import { type ReadyRendition, RenditionsService } from './renditions.service.js';

/** Shows an asset: its original where browsers can show it, otherwise what was made of it. */
@Injectable()
export class PreviewSender {
  constructor(
    private readonly originals: OriginalSender,
    private readonly repository: RenditionsRepository,
    private readonly renditions: RenditionsService,
    private readonly hot: HotRenditions,
    private readonly storage: StorageService,
  ) {}

  async send(
    request: Request,
    response: Response,
    scope: ClientScope,
    idOrRef: string,
    size: PreviewSize | null,
  ): Promise<void> {
    const rendition = renditionFor(size, formatFor(request.headers.accept));
    const shown = await this.repository.findShown(scope, requireAssetId(idOrRef), rendition.name);
    if (shown === null) throw new Problem('asset_not_found');
    const { asset, state } = shown;
    if (size !== null) response.vary('Accept');
    else if (isShowable(asset.mimeType)) return this.originals.send(request, response, asset, 'inline');

    const ready = await this.renditions.get(asset, rendition, state);
    if (await this.sendReady(request, response, asset, rendition, ready)) return;
    // Its record says ready, but the object is gone. Made anew, it need not have the same bytes.
    const again = await this.renditions.get(asset, rendition, 'lost');
    if (await this.sendReady(request, response, asset, rendition, again)) return;
    throw new Problem('storage_unavailable', 'The stored preview is missing.', { retryAfter: 5 });
  }

  private async sendReady(
    request: Request,
    response: Response,
    asset: ShownAsset,
    rendition: Rendition,
    ready: ReadyRendition,
  ): Promise<boolean> {
    const contentType = CONTENT_TYPES[rendition.format];
    if (ready.bytes) this.hot.put(ready.sha256, ready.bytes);
    const file = {
      sha256: ready.sha256,
      sizeBytes: ready.sizeBytes,
      bytes: ready.bytes ?? this.hot.get(ready.sha256),
      contentType,
      filename: downloadName(asset.title, contentType),
      disposition: 'inline' as const,
    };
    const key = renditionKey(asset.clientId, asset.id, rendition.name);
    return sendFile(request, response, file, (range, signal) => this.open(key, ready, range, signal));
  }

  /** For what is not in memory. Small ones will be from now on. */
  private async open(key: string, ready: ReadyRendition, range: ByteRange | null, signal: AbortSignal) {
    if (!this.hot.accepts(ready.sizeBytes)) return this.storage.read(key, range ?? undefined, signal);
    const bytes = await this.storage.readAll(key, undefined, signal);
    if (bytes?.length !== ready.sizeBytes) return null;
    this.hot.put(ready.sha256, bytes);
    return range ? bytes.subarray(range.start, range.end + 1) : bytes;
  }
}
