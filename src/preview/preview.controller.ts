import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AssetIdParam } from '../assets/asset-id-param.decorator.js';
import { InPicker, Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope } from '../access/principal.js';
import { SendsFile } from '../common/openapi/file-response.decorator.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { fileType, SUPPORTED_TYPES } from '../media/file-types.js';
import { PreviewQuery } from './preview.query.js';
import { PreviewSender, SENDING_PROBLEMS } from './preview-sender.js';

const SHOWN_TYPES = SUPPORTED_TYPES.filter((type) => fileType(type).isShownByBrowsers);

/** Previews are only served here, never from a public address of the store (specification, rule 4). */
@ApiTags('Previews')
abstract class PreviewController {
  constructor(private readonly previews: PreviewSender) {}

  @Get()
  @AssetIdParam()
  @Requires('assets:read')
  @InPicker()
  @SendsFile('The preview', SHOWN_TYPES)
  @Operation(
    'Preview an asset; supports Range',
    SENDING_PROBLEMS,
    '`size` returns a WebP (or a JPEG, depending on `Accept`), upright and without metadata; for a video, a poster frame. `fit` returns a rendition that meets the limits of a surface. With the current `v`, browsers cache the preview; otherwise they revalidate it every time.',
  )
  async getAssetPreview(
    @Scope() scope: ClientScope,
    @Param('assetId') assetId: string,
    @Query() query: PreviewQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.previews.send(request, response, scope, assetId, query);
  }
}

@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/assets/:assetId/preview')
export class AdminPreviewController extends PreviewController {}

@Controller('portal/assets/:assetId/preview')
export class PortalPreviewController extends PreviewController {}
