import { Controller, Get, Param } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { AssetIdParam } from './asset-id-param.decorator.js';
import { AssetsService } from './assets.service.js';
import { Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope } from '../access/principal.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { FitnessDto } from '../fitness/fitness.dto.js';

/** Where an asset can be published. */
@ApiTags('Assets')
abstract class FitnessController {
  constructor(private readonly assets: AssetsService) {}

  @Get()
  @AssetIdParam()
  @Requires('assets:read')
  @Operation('Check an asset against the published limits of every channel', ['asset_not_found'])
  async getAssetFitness(@Scope() scope: ClientScope, @Param('assetId') assetId: string): Promise<FitnessDto> {
    return FitnessDto.of(await this.assets.get(scope, assetId));
  }
}

@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/assets/:assetId/fitness')
export class AdminFitnessController extends FitnessController {}

@Controller('portal/assets/:assetId/fitness')
export class PortalFitnessController extends FitnessController {}
