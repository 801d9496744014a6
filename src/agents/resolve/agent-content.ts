import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OriginalSender } from '../../assets/original-sender.js';
import type { ClientScope } from '../../access/principal.js';
import { Problem } from '../../common/errors/problem.js';
import { PreviewSender } from '../../preview/preview-sender.js';
import { AgentAssets } from '../../assets/agent-assets.js';
import type { ContentQuery } from './resolve.dto.js';

/** Sends the bytes of an asset to an agent that may use it on the surface. */
@Injectable()
export class AgentContent {
  constructor(
    private readonly assets: AgentAssets,
    private readonly originals: OriginalSender,
    private readonly previews: PreviewSender,
  ) {}

  async send(
    request: Request,
    response: Response,
    scope: ClientScope,
    ref: string,
    { surface, rendition, shape }: ContentQuery,
  ): Promise<void> {
    if (shape && rendition !== 'fit') throw Problem.validation('shape', 'is only allowed with rendition=fit');
    const asset = await this.assets.get(scope, ref, surface);
    if (rendition === 'original') return this.originals.send(request, response, asset, 'attachment');
    if (rendition === 'fit') return this.previews.sendFit(request, response, asset, surface, shape);
    return this.previews.send(request, response, scope, asset.id, { size: rendition });
  }
}
