import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Requires, Scope } from '../../access/access.decorators.js';
import type { ClientScope } from '../../access/principal.js';
import { Operation } from '../../common/openapi/operation.decorator.js';
import { REFERENCE_KINDS } from '../../database/entities/usage.entity.js';
import { PutReferenceDto, ReferenceDto } from './references.dto.js';
import { ReferencesService } from './references.service.js';

@ApiTags('Agents')
@ApiParam({ name: 'clientId', example: 'demo' })
@ApiParam({ name: 'kind', enum: REFERENCE_KINDS, example: 'seo_post' })
@ApiParam({
  name: 'externalId',
  description: 'The id of the post, chosen by the agent',
  example: 'post-4711',
})
@Controller('agents/clients/:clientId/references/:kind/:externalId')
export class ReferencesController {
  constructor(private readonly references: ReferencesService) {}

  @Put()
  @Requires('references:write')
  @Operation(
    'Record which assets a post uses',
    ['asset_not_found', 'surface_not_allowed'],
    'Replaces the whole set. Every ref must be allowed on the surface of the kind; otherwise nothing is stored, and `results` lists the refs that are not. The kinds `seo_post` and `website_change` belong to the surface website, `social_post` to social, `gbp_update` to gbp.',
  )
  async putReference(
    @Scope() scope: ClientScope,
    @Param('kind') kind: string,
    @Param('externalId') externalId: string,
    @Body() body: PutReferenceDto,
  ): Promise<ReferenceDto> {
    return ReferenceDto.from(await this.references.put(scope, kind, externalId, body));
  }

  @Get()
  @Requires('assets:resolve')
  @Operation('Get a reference with its assets', ['reference_not_found', 'surface_not_allowed'])
  async getReference(
    @Scope() scope: ClientScope,
    @Param('kind') kind: string,
    @Param('externalId') externalId: string,
  ): Promise<ReferenceDto> {
    return ReferenceDto.from(await this.references.get(scope, kind, externalId));
  }

  @Delete()
  @HttpCode(204)
  @Requires('references:write')
  @Operation('Remove a reference', ['reference_not_found', 'surface_not_allowed'])
  async deleteReference(
    @Scope() scope: ClientScope,
    @Param('kind') kind: string,
    @Param('externalId') externalId: string,
  ): Promise<void> {
    await this.references.delete(scope, kind, externalId);
  }
}
