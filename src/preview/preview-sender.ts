import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ClientScope } from '../access/principal.js';
import { AssetsService, requireAssetId } from '../assets/assets.service.js';
import { downloadName } from '../assets/file-names.rules.js';
import { OriginalSender } from '../assets/original-sender.js';
import { requireVisible } from '../assets/surface-gate.rules.js';
import type { ProblemCode } from '../common/errors/catalogue.js';
import { Problem } from '../common/errors/problem.js';
import { sendFile } from '../common/http/send-file.js';
import type { Surface } from '../database/entities/asset.entity.js';
import type { FitShape } from '../fitness/publishing-limits.js';
import { fileType } from '../media/file-types.js';
import { renditionKey } from '../storage/object-key.js';
import { STORAGE_PROBLEMS } from '../storage/storage-errors.js';
import { type ByteRange, StorageService } from '../storage/storage.service.js';
import { type FitAsset, fitFileName, fitRendition, requireFittable } from './fit-rendition.rules.js';
import { HotRenditions } from './hot-renditions.js';
import type { DownloadQuery, PreviewQuery } from './preview.query.js';
import { contentTypeOf, formatFor, type Rendition, renditionFor, THUMBNAIL } from './rendition.rules.js';
import { RenditionsRepository, type ShownAsset } from './renditions.repository.js';
import { type ReadyRendition, RenditionsService } from './renditions.service.js';

/** How long a browser may show a preview without checking whether its user still has access. */
const CACHE_SECONDS = 7 * 86_400;

/** How sending a rendition can fail; for the OpenAPI document. */
export const SENDING_PROBLEMS = [
  'asset_not_found',
  'range_not_satisfiable',
  'unsupported_media_type',
  'media_invalid',
  'server_busy',
  ...STORAGE_PROBLEMS,
  'bucket_belongs_to_another_installation',
] as const satisfies ProblemCode[];

type Disposition = 'inline' | 'attachment';

interface SentRendition {
  readonly rendition: Rendition;
  readonly disposition: Disposition;
  readonly filename: string;
}

/** Sends renditions from memory or from the store, and the original if browsers can show it. */
@Injectable()
export class PreviewSender {
  constructor(
    private readonly originals: OriginalSender,
    private readonly repository: RenditionsRepository,
    private readonly renditions: RenditionsService,
    private readonly assets: AssetsService,
    private readonly hot: HotRenditions,
    private readonly storage: StorageService,
  ) {}

  async send(
    request: Request,
    response: Response,
    scope: ClientScope,
    idOrRef: string,
    query: PreviewQuery,
  ): Promise<void> {
    if (query.fit !== undefined) return this.sendFitPreview(request, response, scope, idOrRef, query);
    const size = query.size ?? null;
    const rendition = renditionFor(size, formatFor(request.headers.accept));
    const shown = await this.repository.findShown(scope, requireAssetId(idOrRef), rendition.name);
    if (shown === null) throw new Problem('asset_not_found');
    const { asset, state } = shown;
    allowCaching(response, asset, query);
    if (size !== null) response.vary('Accept');
    else if (fileType(asset.mimeType).isShownByBrowsers)
      return this.originals.send(request, response, asset, 'inline');

    const get = (lost?: 'lost') => this.renditions.get(asset, rendition, lost ?? state);
    await this.sendRendition(request, response, asset, inline(asset, rendition), get);
  }

  /** The thumbnail of an asset in the trash. None is made for it: the asset may be purged at any moment. */
  async sendTrashed(
    request: Request,
    response: Response,
    scope: ClientScope,
    idOrRef: string,
  ): Promise<void> {
    const shown = await this.repository.findTrashed(scope, requireAssetId(idOrRef), THUMBNAIL.name);
    if (shown?.state?.status !== 'ready') throw new Problem('asset_not_found');
    const { sha256, sizeBytes } = shown.state;
    const sent = inline(shown.asset, THUMBNAIL);
    await this.sendRendition(request, response, shown.asset, sent, (lost) =>
      lost
        ? Promise.reject(new Problem('asset_not_found'))
        : Promise.resolve({ sha256: sha256!, sizeBytes: sizeBytes! }),
    );
  }

  /** The original, or what fits a surface. */
  async download(
    request: Request,
    response: Response,
    scope: ClientScope,
    idOrRef: string,
    { fit, shape }: DownloadQuery,
  ): Promise<void> {
    if (shape && fit === undefined) throw Problem.validation('shape', 'is only allowed with fit');
    const asset = await this.assets.get(scope, idOrRef);
    if (fit === undefined) return this.originals.send(request, response, asset, 'attachment');
    return this.sendFit(request, response, asset, fit, shape);
  }

  /** A rendition that meets the publishing limits of a surface. */
  async sendFit(
    request: Request,
    response: Response,
    asset: ShownAsset & FitAsset,
    surface: Surface,
    shape: FitShape = 'original',
    disposition: Disposition = 'attachment',
  ): Promise<void> {
    requireFittable(asset, surface, shape);
    const rendition = fitRendition(asset, surface, shape);
    const sent = { rendition, disposition, filename: fitFileName(asset.title, rendition, surface, shape) };
    await this.sendRendition(request, response, asset, sent, async (lost) =>
      this.renditions.get(asset, rendition, lost ?? (await this.repository.find(asset, rendition.name))),
    );
  }

  private async sendFitPreview(
    request: Request,
    response: Response,
    scope: ClientScope,
    idOrRef: string,
    query: PreviewQuery,
  ): Promise<void> {
    if (query.size !== undefined) throw Problem.validation('size', 'size and fit cannot be used together');
    const asset = await this.assets.get(scope, idOrRef);
    requireVisible(scope.actor, asset);
    allowCaching(response, asset, query);
    await this.sendFit(request, response, asset, query.fit!, query.shape, 'inline');
  }

  /** `get` finds or makes it; called with `lost` if its record is ready but the object is missing. */
  private async sendRendition(
    request: Request,
    response: Response,
    asset: ShownAsset,
    sent: SentRendition,
    get: (lost?: 'lost') => Promise<ReadyRendition>,
  ): Promise<void> {
    const send = async (ready: ReadyRendition) => this.sendReady(request, response, asset, sent, ready);
    if (await send(await get())) return;
    // A new one may have different bytes.
    if (await send(await get('lost'))) return;
    throw new Problem('storage_unavailable', 'The stored preview is missing.', { retryAfter: 5 });
  }

  private async sendReady(
    request: Request,
    response: Response,
    asset: ShownAsset,
    { rendition, disposition, filename }: SentRendition,
    ready: ReadyRendition,
  ): Promise<boolean> {
    if (ready.bytes) this.hot.put(ready.sha256, ready.bytes);
    const file = {
      sha256: ready.sha256,
      sizeBytes: ready.sizeBytes,
      bytes: ready.bytes ?? this.hot.get(ready.sha256),
      contentType: contentTypeOf(rendition.format),
      filename,
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

function inline({ title }: ShownAsset, rendition: Rendition): SentRendition {
  const filename = downloadName(title, contentTypeOf(rendition.format));
  return { rendition, disposition: 'inline', filename };
}

/** The version increases with every change of the asset, so also whenever a different picture could be shown. */
function allowCaching(response: Response, { version }: ShownAsset, { v }: PreviewQuery): void {
  if (v === version) response.setHeader('Cache-Control', `private, max-age=${CACHE_SECONDS}, immutable`);
}
