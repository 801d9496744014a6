import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { AssetsRepository } from '../assets/assets.repository.js';
import type { StoredAsset } from '../assets/original-sender.js';
import { Problem } from '../common/errors/problem.js';
import { FairLimiter, type WorkOwner } from '../common/fair-limiter.js';
import { MediaRenderer } from '../media/media-renderer.js';
import { mediaDefaults, type MediaSource, MediaUnavailableError } from '../media/media.types.js';
import { originalKey, renditionKey } from '../storage/object-key.js';
import { StorageService } from '../storage/storage.service.js';
import { hashStream } from '../storage/hash-stream.js';
import { TempFiles } from '../storage/temp-files.js';
import { Installation } from '../sweeper/installation.js';
import { CONTENT_TYPES, type Rendition } from './rendition.rules.js';

export interface MadeRendition {
  readonly name: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly bytes: Buffer;
}

const READ_URL_SECONDS = 600;
/** Somewhat more than are decoded at once, so that the next originals are here when a decoder is free. */
const AT_ONCE = mediaDefaults.children + 4;
const PER_CLIENT = mediaDefaults.children + 2;

/** Makes renditions from the stored original, in child processes, and stores them beside it. */
@Injectable()
export class RenditionMaker {
  private readonly limiter = new FairLimiter({
    capacity: AT_ONCE,
    perClient: PER_CLIENT,
    background: PER_CLIENT,
    maxQueued: mediaDefaults.maxQueued,
    maxQueuedPerClient: mediaDefaults.maxQueuedPerClient,
    full: () => new MediaUnavailableError('too many previews are waiting to be made'),
  });

  constructor(
    private readonly assets: AssetsRepository,
    private readonly storage: StorageService,
    private readonly renderer: MediaRenderer,
    private readonly tempFiles: TempFiles,
    private readonly installation: Installation,
  ) {}

  /** Waits for the client's turn to make renditions. */
  inTurn<T>(owner: WorkOwner, work: () => Promise<T>): Promise<T> {
    return this.limiter.run(owner, work);
  }

  async make(
    owner: WorkOwner,
    asset: StoredAsset,
    renditions: readonly Rendition[],
  ): Promise<MadeRendition[]> {
    await this.installation.requireBucket();
    // A video is read by ranges and never written to disk.
    const bytes = asset.mimeType === 'video/mp4' ? 0 : asset.sizeBytes;
    const work = async (path: string) => {
      const outputs = renditions.map((rendition, index) => ({
        ...rendition,
        // Nothing of a film is decoded when it is uploaded: its placeholder comes from its poster.
        placeholder: asset.mimeType === 'video/mp4' && index === 0,
      }));
      const source = await this.source(asset, path);
      const rendered = await this.renderer.render(owner, source, asset.mimeType, outputs);
      const placeholder = rendered[0]?.placeholder;
      if (placeholder) await this.assets.fillPlaceholder(asset, placeholder);
      return Promise.all(outputs.map((output, index) => this.store(asset, output, rendered[index]!.bytes)));
    };
    return this.tempFiles.use(owner, bytes, work);
  }

  private async store(
    asset: StoredAsset,
    { name, format }: Rendition,
    bytes: Buffer,
  ): Promise<MadeRendition> {
    await this.storage.write(renditionKey(asset.clientId, asset.id, name), bytes, CONTENT_TYPES[format]);
    return { name, bytes, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  }

  /** Of a video only the first seconds are needed, so it is read by ranges. */
  private async source(asset: StoredAsset, path: string): Promise<MediaSource> {
    const key = originalKey(asset.clientId, asset.id, asset.attempt);
    if (asset.mimeType === 'video/mp4') {
      return {
        kind: 'url',
        url: await this.storage.presignRead(key, READ_URL_SECONDS),
        sizeBytes: asset.sizeBytes,
      };
    }
    const stream = await this.storage.read(key);
    if (stream === null)
      throw new Problem('storage_unavailable', 'The stored file is missing.', { retryAfter: 60 });
    await hashStream(stream, { sizeBytes: asset.sizeBytes, path, idleMs: this.storage.timeoutMs });
    return { kind: 'file', path };
  }
}
