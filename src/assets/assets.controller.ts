import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Requires, Scope } from '../auth/access.decorators.js';
import type { ClientScope } from '../auth/principal.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { AssetDto } from './assets.dto.js';
import { AssetsService } from './assets.service.js';
import { OriginalSender } from './original-sender.js';

const AssetIdParam = () =>
  ApiParam({
    name: 'assetId',
    description: 'The id or the assetRef',
    example: 'asset_01h455vb4pex5vsknk084sn02q',
  });

/** The library's controls, the same on both sides. */
abstract class AssetsController {
  constructor(
    private readonly assets: AssetsService,
    private readonly originals: OriginalSender,
  ) {}

  @Get(':assetId')
  @AssetIdParam()
  @Requires('assets:read')
  @Operation('Get an asset', ['asset_not_found'])
  async get(@Scope() scope: ClientScope, @Param('assetId') assetId: string): Promise<AssetDto> {
    return AssetDto.from(await this.assets.get(scope, assetId));
  }

  @Get(':assetId/download')
  @AssetIdParam()
  @Requires('assets:read')
  @ApiOkResponse({
    description: 'The stored bytes',
    content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
  })
  @Operation('Download the stored bytes; supports Range', [
    'asset_not_found',
    'range_not_satisfiable',
    'storage_unavailable',
  ])
  async download(
    @Scope() scope: ClientScope,
    @Param('assetId') assetId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.originals.send(request, response, await this.assets.get(scope, assetId), 'attachment');
  }
}

@ApiTags('Assets')
@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/assets')
export class AdminAssetsController extends AssetsController {
  constructor(assets: AssetsService, originals: OriginalSender) {
    super(assets, originals);
  }
}

@ApiTags('Portal: assets')
@Controller('portal/assets')
export class PortalAssetsController extends AssetsController {
  constructor(assets: AssetsService, originals: OriginalSender) {
    super(assets, originals);
  }
}
