import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { StoredAsset, Surface } from '../database/entities/asset.entity.js';
import type { FitShape } from '../fitness/publishing-limits.js';
import { type FitAsset, fitRendition, requireFittable } from './fit-rendition.rules.js';
import { RenditionSender } from './rendition-sender.js';
import type { Rendition } from './rendition.rules.js';
import { RenditionsRepository, type ShownAsset } from './renditions.repository.js';
import { type ReadyRendition, RenditionsService } from './renditions.service.js';

/** Makes renditions that meet the publishing limits of a surface. */
@Injectable()
export class FitRenditions {
  constructor(
    private readonly repository: RenditionsRepository,
    private readonly renditions: RenditionsService,
    private readonly sender: RenditionSender,
  ) {}

  async send(
    request: Request,
    response: Response,
    asset: ShownAsset & FitAsset,
    surface: Surface,
    shape: FitShape,
    disposition: 'inline' | 'attachment' = 'attachment',
  ): Promise<void> {
    requireFittable(asset, surface, shape);
    const get = async (state?: 'lost') => (await this.get(asset, surface, shape, state)).ready;
    const rendition = fitRendition(asset, surface, shape);
    await this.sender.send(request, response, asset, rendition, disposition, get);
  }

  /** `state`: `lost` if its record is ready but the object is missing. */
  async get(
    asset: StoredAsset & FitAsset,
    surface: Surface,
    shape: FitShape = 'original',
    state?: 'lost',
  ): Promise<{ rendition: Rendition; ready: ReadyRendition }> {
    requireFittable(asset, surface, shape);
    const rendition = fitRendition(asset, surface, shape);
    const known = state ?? (await this.repository.find(asset, rendition.name));
    return { rendition, ready: await this.renditions.get(asset, rendition, known) };
  }
}
