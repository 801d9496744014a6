import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ProblemCode } from '../common/errors/catalogue.js';
import { Problem } from '../common/errors/problem.js';
import { logger } from '../common/logging/logger.js';
import type { Asset, StoredAsset } from '../database/entities/asset.entity.js';
import type { Delivery } from '../database/entities/delivery.entity.js';
import { BytesReader } from '../media/bytes-reader.js';
import type { RangeReader } from '../media/decoder-child.js';
import { findLocation } from '../media/location/mp4-location.js';
import { type Overwrite, overwritten } from '../media/location/overwrites.js';
import { isVideo, type SupportedMime } from '../media/file-types.js';
import { MediaError, MediaSourceError } from '../media/media.types.js';
import { UrlReader } from '../media/url-reader.js';
import { requireFittable } from '../preview/fit-rendition.rules.js';
import { contentTypeOf, type Rendition } from '../preview/rendition.rules.js';
import { RenditionsService } from '../preview/renditions.service.js';
import { originalKey, renditionKey } from '../storage/object-key.js';
import { StorageService } from '../storage/storage.service.js';
import { DeliveryError, type DeliveryErrorCode } from '../targets/delivery-error.js';
import type { KindDefinition } from '../targets/kinds/kind-definition.js';
import { fileNameOf } from './file-name.rules.js';
import type { PreparedFile } from '../targets/prepared-file.js';
import { renditionToSend } from './sent-file.rules.js';

/** Files up to this size are read into memory before they are sent, so that their checksum can be sent too. Larger files are streamed. */
const SMALL_BYTES = 2 * 1024 * 1024;
/** For reading the structure of a video. */
const READ_URL_SECONDS = 600;

interface StoredFile {
  readonly key: string;
  readonly contentType: SupportedMime;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Our own files say nothing about the camera. */
  readonly isOriginal: boolean;
}

/** Finds or makes the file that is sent to a target. */
@Injectable()
export class DeliveryFiles {
  constructor(
    private readonly renditions: RenditionsService,
    private readonly storage: StorageService,
  ) {}

  async prepare(
    delivery: Delivery,
    asset: Asset,
    originals: KindDefinition['originals'],
  ): Promise<PreparedFile> {
    try {
      if (delivery.rendition === 'fit') requireFittable(asset, delivery.surface, 'original');
      const rendition = renditionToSend(delivery, asset, originals);
      const file = rendition === null ? originalOf(asset) : await this.rendered(asset, rendition);
      const { contentType, sizeBytes } = file;
      const fileName = fileNameOf([delivery.title, asset.originalFilename], contentType, asset.id);
      if (sizeBytes > SMALL_BYTES) {
        const reader = async () => new UrlReader(await this.readUrl(file), sizeBytes, this.storage.timeoutMs);
        const hidden = await hiddenIn(file, reader);
        const open = (signal: AbortSignal) => this.stream(file, hidden, signal);
        return { fileName, contentType, sizeBytes, md5: null, open };
      }
      const stored = await this.readSmall(file);
      const hidden = await hiddenIn(file, () => Promise.resolve(new BytesReader(stored)));
      const bytes = await buffer(overwritten([stored], hidden));
      const md5 = createHash('md5').update(bytes).digest('hex');
      const open = () => Promise.resolve(Readable.from([bytes], { objectMode: false }));
      return { fileName, contentType, sizeBytes, md5, open };
    } catch (error) {
      throw preparationError(error);
    }
  }

  /** A lost rendition is made again. */
  private async rendered(asset: StoredAsset, rendition: Rendition): Promise<StoredFile> {
    const key = renditionKey(asset.clientId, asset.id, rendition.name);
    let ready = await this.renditions.getInBackground(asset, rendition);
    if ((await this.storage.head(key))?.sizeBytes !== ready.sizeBytes)
      ready = await this.renditions.get(asset, rendition, 'lost');
    const { sizeBytes, sha256 } = ready;
    return { key, contentType: contentTypeOf(rendition.format), sizeBytes, sha256, isOriginal: false };
  }

  private async readSmall({ key, sha256 }: StoredFile): Promise<Buffer> {
    const bytes = await this.storage.readAll(key);
    if (bytes !== null && createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
    throw missing(key);
  }

  private readUrl({ key }: StoredFile): Promise<string> {
    return this.storage.presigner.read(key, READ_URL_SECONDS);
  }

  private async stream(
    { key }: StoredFile,
    hidden: readonly Overwrite[],
    signal: AbortSignal,
  ): Promise<Readable> {
    const source = await this.storage.read(key, undefined, signal).catch((error: unknown) => {
      throw preparationError(error);
    });
    if (source === null) throw missing(key);
    const chunks = withoutStalls(source, this.storage.timeoutMs);
    return Readable.from(overwritten(chunks, hidden), { objectMode: false });
  }
}

/** Ends a source that sends nothing for too long. It does not count the time that a slow target needs to receive the bytes. */
async function* withoutStalls(source: Readable, idleMs: number): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const timer = setTimeout(() => source.destroy(new Error('no bytes arrived in time')), idleMs);
      const next = await chunks.next().finally(() => clearTimeout(timer));
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    source.destroy();
  }
}

function originalOf(asset: StoredAsset): StoredFile {
  const { clientId, id, attempt, mimeType, sizeBytes, sha256 } = asset;
  const key = originalKey(clientId, id, attempt);
  return { key, contentType: mimeType, sizeBytes, sha256, isOriginal: true };
}

/** Videos leave without the place where they were recorded. */
async function hiddenIn(
  { isOriginal, contentType }: StoredFile,
  open: () => Promise<RangeReader>,
): Promise<Overwrite[]> {
  return isOriginal && isVideo(contentType) ? findLocation(await open()) : [];
}

function missing(key: string): DeliveryError {
  logger.error({ alarm: 'object_missing', key }, 'stored object of an asset is missing or damaged');
  return new DeliveryError('storage_unavailable', 'prepare', { more: 'It is missing or damaged there.' });
}

/** What one of our own problems means for the delivery. All other errors come from the store. */
const CODES: Partial<Record<ProblemCode, DeliveryErrorCode>> = {
  asset_not_found: 'asset_not_found',
  media_invalid: 'media_invalid',
  content_mismatch: 'media_invalid',
  unsupported_media_type: 'media_invalid',
  server_busy: 'server_busy',
  database_unavailable: 'server_busy',
};

function preparationError(error: unknown): unknown {
  if (error instanceof MediaError)
    return new DeliveryError('location_not_removable', 'prepare', { more: error.message, cause: error });
  if (error instanceof MediaSourceError)
    return new DeliveryError('storage_unavailable', 'prepare', { cause: error });
  if (!(error instanceof Problem)) return error;
  const code = CODES[error.code] ?? 'storage_unavailable';
  return new DeliveryError(code, 'prepare', {
    more: code === 'media_invalid' ? error.detail : undefined,
    cause: error,
  });
}
