import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { AssetIdParam } from './asset-id-param.decorator.js';
import { Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope } from '../access/principal.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { PageQuery } from '../common/paging/page.js';
import { UsageDto, UsagePageDto } from '../usages/usages.dto.js';
import { UsagesService } from './usages.service.js';

@ApiTags('Assets')
abstract class UsagesController {
  constructor(private readonly usages: UsagesService) {}

  @Get()
  @AssetIdParam()
  @Requires('assets:read')
  @Operation('List where an asset has been used or delivered, newest first', ['asset_not_found'])
  async listAssetUsages(
    @Scope() scope: ClientScope,
    @Param('assetId') assetId: string,
    @Query() query: PageQuery,
  ): Promise<UsagePageDto> {
    const page = await this.usages.list(scope, assetId, query);
    return { usages: page.items.map((usage) => UsageDto.from(usage)), nextCursor: page.nextCursor };
  }
}

@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/assets/:assetId/usages')
export class AdminUsagesController extends UsagesController {}

@Controller('portal/assets/:assetId/usages')
export class PortalUsagesController extends UsagesController {}
