import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AssetsService, requireAssetId } from '../assets/assets.service.js';
import { OriginalSender } from '../assets/original-sender.js';
import type { ClientScope } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';
import { FitRenditions } from './fit-renditions.js';
import type { PreviewQuery } from './preview.query.js';
import { RenditionSender } from './rendition-sender.js';
import { fileType } from '../media/file-types.js';
import { formatFor, renditionFor, THUMBNAIL } from './rendition.rules.js';
import { RenditionsRepository, type ShownAsset } from './renditions.repository.js';
import { RenditionsService } from './renditions.service.js';

/** How long a browser may show a preview without checking whether its user still has access. */
const CACHE_SECONDS = 7 * 86_400;

/** Sends the original if browsers can show it, otherwise a rendition. */
@Injectable()
export class PreviewSender {
  constructor(
    private readonly originals: OriginalSender,
    private readonly repository: RenditionsRepository,
    private readonly renditions: RenditionsService,
    private readonly sender: RenditionSender,
    private readonly assets: AssetsService,
    private readonly fits: FitRenditions,
  ) {}

  async send(
    request: Request,
    response: Response,
    scope: ClientScope,
    idOrRef: string,
    query: PreviewQuery,
  ): Promise<void> {
    if (query.fit !== undefined) return this.sendFit(request, response, scope, idOrRef, query);
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
    await this.sender.send(request, response, asset, rendition, 'inline', get);
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
    await this.sender.send(request, response, shown.asset, THUMBNAIL, 'inline', (lost) =>
      lost
        ? Promise.reject(new Problem('asset_not_found'))
        : Promise.resolve({ sha256: sha256!, sizeBytes: sizeBytes! }),
    );
  }

  private async sendFit(
    request: Request,
    response: Response,
    scope: ClientScope,
    idOrRef: string,
    query: PreviewQuery,
  ): Promise<void> {
    if (query.size !== undefined) throw Problem.validation('size', 'size and fit cannot be used together');
    const asset = await this.assets.get(scope, idOrRef);
    allowCaching(response, asset, query);
    await this.fits.send(request, response, asset, query.fit!, query.shape ?? 'original', 'inline');
  }
}

/** The version increases with every change of the asset, so also whenever a different picture could be shown. */
function allowCaching(response: Response, { version }: ShownAsset, { v }: PreviewQuery): void {
  if (v === version) response.setHeader('Cache-Control', `private, max-age=${CACHE_SECONDS}, immutable`);
}
