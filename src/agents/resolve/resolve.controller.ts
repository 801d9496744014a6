import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Requires, Scope } from '../../access/access.decorators.js';
import type { ClientScope } from '../../access/principal.js';
import { SendsFile } from '../../common/openapi/file-response.decorator.js';
import { Operation } from '../../common/openapi/operation.decorator.js';
import { AgentAssets } from '../../assets/agent-assets.js';
import { AgentContent } from './agent-content.js';
import { ContentQuery, ResolveDto, ResolvedRefsDto } from './resolve.dto.js';
import { READ_PROBLEMS } from '../../database/reads.js';
import { STORAGE_PROBLEMS } from '../../storage/storage-errors.js';

@ApiTags('Agents')
@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('agents/clients/:clientId/assets')
export class ResolveController {
  constructor(
    private readonly assets: AgentAssets,
    private readonly content: AgentContent,
  ) {}

  @Post('resolve')
  @HttpCode(200)
  @Requires('assets:resolve')
  @Operation(
    'Resolve up to 100 refs for a surface',
    ['surface_not_allowed', ...READ_PROBLEMS],
    'Each ref has its own result: `asset_not_found` for refs that are unknown, trashed or of another client, `surface_not_allowed` for assets that are not allowed on the surface. The whole request fails with `surface_not_allowed` if the API key is limited to other surfaces.',
  )
  async resolveAssets(@Scope() scope: ClientScope, @Body() body: ResolveDto): Promise<ResolvedRefsDto> {
    return ResolvedRefsDto.from(await this.assets.resolve(scope, body.assetRefs, body.surface));
  }

  @Get(':assetRef/content')
  @ApiParam({ name: 'assetRef', example: 'asset_01h455vb4pex5vsknk084sn02q' })
  @Requires('assets:resolve')
  @SendsFile('The bytes')
  @Operation('Fetch the bytes of an asset for a surface; supports Range', [
    'asset_not_found',
    'surface_not_allowed',
    'range_not_satisfiable',
    'unsupported_media_type',
    'media_invalid',
    'server_busy',
    ...STORAGE_PROBLEMS,
    'bucket_belongs_to_another_installation',
  ])
  async getAssetContent(
    @Scope() scope: ClientScope,
    @Param('assetRef') assetRef: string,
    @Query() query: ContentQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.content.send(request, response, scope, assetRef, query);
  }
}
