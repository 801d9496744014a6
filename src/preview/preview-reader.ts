import { Injectable } from '@nestjs/common';
import type { ClientScope } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';
import { renditionKey } from '../storage/object-key.js';
import { StorageService } from '../storage/storage.service.js';
import { HotRenditions } from './hot-renditions.js';
import { type Rendition, renditionFor } from './rendition.rules.js';
import { RenditionsRepository, type ShownAsset } from './renditions.repository.js';
import { type ReadyRendition, RenditionsService } from './renditions.service.js';

/** The picture for models. Every client of the Model Context Protocol can read JPEG. */
const VIEW: Rendition = { name: 'view.jpeg', maxSide: 512, format: 'jpeg' };
const MAX_VIEW_BYTES = 200_000;

/** Reads a small picture of an asset into memory: a JPEG of at most 512 px on the longer side and less than 200 KB. */
@Injectable()
export class PreviewReader {
  constructor(
    private readonly repository: RenditionsRepository,
    private readonly renditions: RenditionsService,
    private readonly hot: HotRenditions,
    private readonly storage: StorageService,
  ) {}

  async read(scope: ClientScope, assetId: string): Promise<Buffer> {
    const view = await this.readRendition(scope, assetId, VIEW);
    // Even noise takes less than half of it.
    return view.length < MAX_VIEW_BYTES
      ? view
      : this.readRendition(scope, assetId, renditionFor('thumb', 'jpeg'));
  }

  private async readRendition(scope: ClientScope, assetId: string, rendition: Rendition): Promise<Buffer> {
    const shown = await this.repository.findShown(scope, assetId, rendition.name);
    if (shown === null) throw new Problem('asset_not_found');
    for (const state of [shown.state, 'lost'] as const) {
      const ready = await this.renditions.get(shown.asset, rendition, state);
      const bytes = await this.bytesOf(shown.asset, rendition, ready);
      if (bytes !== null) return bytes;
    }
    throw new Problem('storage_unavailable', 'The stored preview is missing.', { retryAfter: 5 });
  }

  /** Null if the object is missing. */
  private async bytesOf(
    asset: ShownAsset,
    { name }: Rendition,
    ready: ReadyRendition,
  ): Promise<Buffer | null> {
    const known = ready.bytes ?? this.hot.get(ready.sha256);
    if (known) return known;
    const bytes = await this.storage.readAll(renditionKey(asset.clientId, asset.id, name));
    if (bytes?.length !== ready.sizeBytes) return null;
    this.hot.put(ready.sha256, bytes);
    return bytes;
  }
}
