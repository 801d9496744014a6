import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { buffer } from 'node:stream/consumers';
import { requireAssetId } from '../assets/assets.service.js';
import { OriginalSender, type StoredAsset } from '../assets/original-sender.js';
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
import { RenditionsRepository } from './renditions.repository.js';
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
    if (ready.bytes) this.hot.put(ready.sha256, ready.bytes);
    const file = {
      ...ready,
      contentType: CONTENT_TYPES[rendition.format],
      filename: `${asset.title.slice(0, 100)}.${rendition.format}`,
      disposition: 'inline' as const,
    };
    await sendFile(request, response, file, (range, signal) =>
      this.open(asset, rendition, ready, range, signal),
    );
  }

  private async open(
    asset: StoredAsset,
    rendition: Rendition,
    ready: ReadyRendition,
    range: ByteRange | null,
    signal: AbortSignal,
  ) {
    const part = (bytes: Buffer) => (range ? bytes.subarray(range.start, range.end + 1) : bytes);
    const hot = ready.bytes ?? this.hot.get(ready.sha256);
    if (hot) return part(hot);
    const key = renditionKey(asset.clientId, asset.id, rendition.name);
    if (!this.hot.accepts(ready.sizeBytes)) {
      const stream = await this.storage.read(key, range ?? undefined, signal);
      if (stream) return stream;
    } else {
      const stream = await this.storage.read(key, undefined, signal);
      const bytes = stream && (await buffer(stream));
      if (bytes) {
        this.hot.put(ready.sha256, bytes);
        return part(bytes);
      }
    }
    // Its record says ready, but the object is gone. Made the same way, it has the same bytes.
    const again = await this.renditions.get(asset, rendition, 'lost');
    return part(again.bytes ?? Buffer.alloc(0));
  }
}
