import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { AssetIdParam } from './asset-id-param.decorator.js';
import { AssetsService } from './assets.service.js';
import { Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope } from '../access/principal.js';
import { AuditPageDto } from '../audit/audit.dto.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { PageQuery } from '../common/paging/page.js';
import { READ_PROBLEMS } from '../database/reads.js';
import { FitnessDto } from '../fitness/fitness.dto.js';
import { UsageDto, UsagePageDto } from '../usages/usages.dto.js';

/** Where an asset can be published, where it has been, and what happened to it. */
@ApiTags('Assets')
abstract class AssetDetailsController {
  constructor(private readonly assets: AssetsService) {}

  @Get('fitness')
  @AssetIdParam()
  @Requires('assets:read')
  @Operation('Check an asset against the published limits of every channel', ['asset_not_found'])
  async getAssetFitness(@Scope() scope: ClientScope, @Param('assetId') assetId: string): Promise<FitnessDto> {
    return FitnessDto.of(await this.assets.get(scope, assetId));
  }

  @Get('usages')
  @AssetIdParam()
  @Requires('assets:read')
  @Operation('List where an asset has been used or delivered, newest first', ['asset_not_found'])
  async listAssetUsages(
    @Scope() scope: ClientScope,
    @Param('assetId') assetId: string,
    @Query() query: PageQuery,
  ): Promise<UsagePageDto> {
    const page = await this.assets.listUsages(scope, assetId, query);
    return { usages: page.items.map((usage) => UsageDto.from(usage)), nextCursor: page.nextCursor };
  }

  @Get('activity')
  @AssetIdParam()
  @Requires('audit:read')
  @Operation('List what happened to an asset, newest first', ['asset_not_found', ...READ_PROBLEMS])
  async listAssetActivity(
    @Scope() scope: ClientScope,
    @Param('assetId') assetId: string,
    @Query() query: PageQuery,
  ): Promise<AuditPageDto> {
    return AuditPageDto.from(await this.assets.listActivity(scope, assetId, query));
  }
}

@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/assets/:assetId')
export class AdminAssetDetailsController extends AssetDetailsController {}

@Controller('portal/assets/:assetId')
export class PortalAssetDetailsController extends AssetDetailsController {}
