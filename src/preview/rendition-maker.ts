import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { AssetsRepository } from '../assets/assets.repository.js';
import type { StoredAsset } from '../database/entities/asset.entity.js';
import { ByteBoundedMap } from '../common/byte-bounded-map.js';
import { Problem } from '../common/errors/problem.js';
import { FairLimiter, type Priority, type WorkOwner } from '../common/fair-limiter.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { MediaDecoder } from '../media/media-decoder.js';
import { mediaDefaults } from '../media/media-defaults.js';
import { type MediaSource, MediaUnavailableError, type Rendered } from '../media/media.types.js';
import { originalKey, renditionKey } from '../storage/object-key.js';
import { StorageService } from '../storage/storage.service.js';
import { hashStream } from '../storage/hash-stream.js';
import { TempFiles } from '../storage/temp-files.js';
import { BucketControl } from '../storage/bucket-control.js';
import { Installation } from '../storage/installation.js';
import { isVideo } from '../media/file-types.js';
import { contentTypeOf, type Rendition } from './rendition.rules.js';

export interface MadeRendition {
  readonly name: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly bytes: Buffer;
}

const READ_URL_SECONDS = 600;
const FRESH_BYTES = 64 * 1024 * 1024;
/** As many more than are decoded at the same time, so that the next originals are ready when a decoder is free. */
const READY = 3;
/** Slow files of one client leave room for those of other clients. The memory for fresh uploads limits how many wait. */
const BACKGROUND = { capacity: 4, perClient: 2, maxQueuedPerClient: mediaDefaults.maxQueued };

/** Makes renditions in child processes, from the stored original or from a fresh upload, and stores them next to the original. */
@Injectable()
export class RenditionMaker {
  /** The bytes of recent uploads by their asset ids, so that their first renditions need no second download. */
  readonly freshUploads = new ByteBoundedMap<Buffer>(FRESH_BYTES, (bytes) => bytes.length);
  private readonly limiters: Record<Priority, FairLimiter>;

  constructor(
    private readonly assets: AssetsRepository,
    private readonly storage: StorageService,
    private readonly decoder: MediaDecoder,
    private readonly tempFiles: TempFiles,
    private readonly installation: Installation,
    private readonly control: BucketControl,
    @InjectConfig() { media }: Config,
  ) {
    const interactive = Math.ceil(media.decoders / 2) + READY;
    const { maxQueuedPerClient } = mediaDefaults;
    this.limiters = {
      interactive: limiterOf({ capacity: interactive, perClient: interactive - 2, maxQueuedPerClient }),
      background: limiterOf(BACKGROUND),
    };
  }

  /** Renditions are then made for each request and not stored. */
  get isReadOnly(): boolean {
    return this.storage.isReadOnly;
  }

  /** Waits for the client's turn to make renditions. */
  inTurn<T>(owner: WorkOwner, work: () => Promise<T>): Promise<T> {
    return this.limiters[owner.priority].run(owner, work);
  }

  async make(
    owner: WorkOwner,
    asset: StoredAsset,
    renditions: readonly Rendition[],
    signal: AbortSignal,
  ): Promise<MadeRendition[]> {
    return this.store(asset, renditions, await this.render(owner, asset, renditions), signal);
  }

  /** `rendered` may contain more than is stored. Nothing is stored if the signal has been aborted. */
  async store(
    asset: StoredAsset,
    renditions: readonly Rendition[],
    rendered: readonly Rendered[],
    signal: AbortSignal,
  ): Promise<MadeRendition[]> {
    signal.throwIfAborted();
    if (!this.isReadOnly) await this.installation.requireBucket();
    const bytesOf = (name: string) => rendered.find((one) => one.name === name)!.bytes;
    return Promise.all(renditions.map((one) => this.storeOne(asset, one, bytesOf(one.name))));
  }

  /** In the order of `renditions`. */
  async render(owner: WorkOwner, asset: StoredAsset, renditions: readonly Rendition[]): Promise<Rendered[]> {
    const fresh = this.freshUploads.get(asset.id);
    if (fresh)
      return this.decoder.render(owner, { kind: 'bytes', bytes: fresh }, asset.mimeType, [...renditions]);
    if (isVideo(asset.mimeType)) return this.renderVideo(owner, asset, renditions);
    const work = async (path: string) => {
      const source = await this.download(asset, path);
      return this.decoder.render(owner, source, asset.mimeType, [...renditions]);
    };
    return this.tempFiles.use(owner, asset.sizeBytes, work);
  }

  /** Only its first seconds are needed, so it is read in ranges and never written to disk. */
  private async renderVideo(
    owner: WorkOwner,
    asset: StoredAsset,
    renditions: readonly Rendition[],
  ): Promise<Rendered[]> {
    const url = await this.storage.presigner.read(keyOf(asset), READ_URL_SECONDS);
    const source: MediaSource = { kind: 'url', url, sizeBytes: asset.sizeBytes };
    // A video is not decoded on upload: its placeholder comes from its poster.
    const outputs = renditions.map((rendition, index) => ({ ...rendition, placeholder: index === 0 }));
    const rendered = await this.decoder.render(owner, source, asset.mimeType, outputs);
    const placeholder = rendered[0]?.placeholder;
    if (placeholder) await this.assets.fillPlaceholder(asset, placeholder);
    return rendered;
  }

  private async storeOne(
    asset: StoredAsset,
    { name, format }: Rendition,
    bytes: Buffer,
  ): Promise<MadeRendition> {
    const key = renditionKey(asset.clientId, asset.id, name);
    const stored = this.isReadOnly ? bytes : await this.write(key, bytes, contentTypeOf(format));
    const sha256 = createHash('sha256').update(stored).digest('hex');
    return { name, bytes: stored, sizeBytes: stored.length, sha256 };
  }

  /** Replaces nothing that another copy of the database may have made and recorded. Returns what is stored. */
  private async write(key: string, bytes: Buffer, contentType: string): Promise<Buffer> {
    if (await this.control.mayDelete()) {
      await this.storage.write(key, bytes, contentType);
      return bytes;
    }
    await this.storage.writeIfUnchanged(key, bytes, contentType, null);
    return (await this.storage.readAll(key)) ?? bytes;
  }

  private async download(asset: StoredAsset, path: string): Promise<MediaSource> {
    const stream = await this.storage.read(keyOf(asset));
    if (stream === null)
      throw new Problem('storage_unavailable', 'The stored file is missing.', { retryAfter: 60 });
    await hashStream(stream, { sizeBytes: asset.sizeBytes, path, idleMs: this.storage.timeoutMs });
    return { kind: 'file', path };
  }
}

function keyOf({ clientId, id, attempt }: StoredAsset): string {
  return originalKey(clientId, id, attempt);
}

function limiterOf(share: { capacity: number; perClient: number; maxQueuedPerClient: number }): FairLimiter {
  return new FairLimiter({
    ...share,
    maxQueued: mediaDefaults.maxQueued,
    full: () => new MediaUnavailableError('too many previews are waiting to be made'),
  });
}
