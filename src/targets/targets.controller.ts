import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiParam, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope } from '../access/principal.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { PageQuery } from '../common/paging/page.js';
import { DiagnosisDto } from '../common/diagnosis.dto.js';
import { TargetBodyPipe } from './target-body.pipe.js';
import { KINDS } from './kinds/kinds.js';
import type { NewTargetDto } from './new-target.dto.js';
import { TargetDto, TargetPageDto, UpdateTargetDto, VerifiedTargetDto } from './targets.dto.js';
import { TargetsService } from './targets.service.js';

const BODIES = Object.fromEntries(
  Object.entries(KINDS).map(([kind, { createDto }]) => [kind, getSchemaPath(createDto)]),
);

@ApiTags('Destinations')
@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/targets')
export class TargetsController {
  constructor(private readonly targets: TargetsService) {}

  @Get()
  @Requires('targets:read')
  @Operation('List the systems that assets are delivered to')
  async listTargets(@Scope() scope: ClientScope, @Query() query: PageQuery): Promise<TargetPageDto> {
    const page = await this.targets.list(scope, query);
    return { targets: page.items.map((target) => TargetDto.from(target)), nextCursor: page.nextCursor };
  }

  @Post()
  @ApiExtraModels(...Object.values(KINDS).map(({ createDto }) => createDto))
  @ApiBody({
    schema: {
      oneOf: Object.values(BODIES).map(($ref) => ({ $ref })),
      discriminator: { propertyName: 'kind', mapping: BODIES },
    },
  })
  @Requires('targets:manage')
  @Operation(
    'Create a target and verify it',
    [
      'target_name_taken',
      'too_many_targets',
      'target_address_not_allowed',
      'too_many_requests',
      'server_busy',
    ],
    'A target that fails verification is still stored, in the state `error`, so that its credentials can be corrected.',
  )
  async createTarget(
    @Scope() scope: ClientScope,
    // Not a class at run time, so that only this pipe validates it.
    @Body(TargetBodyPipe) body: Readonly<NewTargetDto>,
  ): Promise<VerifiedTargetDto> {
    const { target, verification } = await this.targets.create(scope, body);
    return { ...TargetDto.from(target), verification };
  }

  @Get(':targetId')
  @Requires('targets:read')
  @Operation('Get a target', ['target_not_found'])
  async getTarget(@Scope() scope: ClientScope, @Param('targetId') targetId: string): Promise<TargetDto> {
    return TargetDto.from(await this.targets.get(scope, targetId));
  }

  @Patch(':targetId')
  @Requires('targets:manage')
  @Operation('Update the name or the credentials of a target; new credentials are verified', [
    'target_not_found',
    'target_name_taken',
    'too_many_requests',
    'server_busy',
  ])
  async updateTarget(
    @Scope() scope: ClientScope,
    @Param('targetId') targetId: string,
    @Body() body: UpdateTargetDto,
  ): Promise<VerifiedTargetDto> {
    const { target, verification } = await this.targets.update(scope, targetId, body);
    return { ...TargetDto.from(target), ...(verification && { verification }) };
  }

  @Delete(':targetId')
  @HttpCode(204)
  @Requires('targets:manage')
  @Operation('Delete a target and its credentials; its delivery history is kept', ['target_not_found'])
  async deleteTarget(@Scope() scope: ClientScope, @Param('targetId') targetId: string): Promise<void> {
    await this.targets.delete(scope, targetId);
  }

  @Post(':targetId/verify')
  @HttpCode(200)
  @Requires('targets:manage')
  @Operation('Verify a target: address, credentials and permission to upload', [
    'target_not_found',
    'too_many_requests',
    'server_busy',
  ])
  async verifyTarget(
    @Scope() scope: ClientScope,
    @Param('targetId') targetId: string,
  ): Promise<DiagnosisDto> {
    return this.targets.verify(scope, targetId);
  }
}
