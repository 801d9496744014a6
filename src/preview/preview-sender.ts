import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requireAssetId } from '../assets/assets.service.js';
import { OriginalSender } from '../assets/original-sender.js';
import type { ClientScope } from '../auth/principal.js';
import { Problem } from '../common/errors/problem.js';
import { RenditionSender } from './rendition-sender.js';
import { formatFor, isShowable, type PreviewSize, renditionFor } from './rendition.rules.js';
import { RenditionsRepository } from './renditions.repository.js';
import { RenditionsService } from './renditions.service.js';

/** Shows an asset: its original where browsers can show it, otherwise what was made of it. */
@Injectable()
export class PreviewSender {
  constructor(
    private readonly originals: OriginalSender,
    private readonly repository: RenditionsRepository,
    private readonly renditions: RenditionsService,
    private readonly sender: RenditionSender,
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

    const get = (lost?: 'lost') => this.renditions.get(asset, rendition, lost ?? state);
    await this.sender.send(request, response, asset, rendition, 'inline', get);
  }
}
