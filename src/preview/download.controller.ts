import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope } from '../access/principal.js';
import { AssetIdParam } from '../assets/asset-id-param.decorator.js';
import { SendsFile } from '../common/openapi/file-response.decorator.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { DownloadQuery } from './preview.query.js';
import { PreviewSender, SENDING_PROBLEMS } from './preview-sender.js';

@ApiTags('Assets')
abstract class DownloadController {
  constructor(private readonly previews: PreviewSender) {}

  @Get()
  @AssetIdParam()
  @Requires('assets:read')
  @SendsFile('The original, or the `fit` rendition')
  @Operation(
    'Download the original, or what fits a surface; supports Range',
    SENDING_PROBLEMS,
    '`fit` returns a JPEG of an image that meets the limits of the surface, cropped to `shape`, as `<title>-<surface>-<shape>-<width>x<height>.jpg`. `GET …/assets/:assetId/fitness` lists the crops with their sizes. Videos have none.',
  )
  async downloadAsset(
    @Scope() scope: ClientScope,
    @Param('assetId') assetId: string,
    @Query() query: DownloadQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.previews.download(request, response, scope, assetId, query);
  }
}

@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/assets/:assetId/download')
export class AdminDownloadController extends DownloadController {}

@Controller('portal/assets/:assetId/download')
export class PortalDownloadController extends DownloadController {}
