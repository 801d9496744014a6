import { Controller, Get, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope } from '../access/principal.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { AuditPageDto, AuditEventDto, AuditQuery } from './audit.dto.js';
import { AuditService } from './audit.service.js';

@ApiTags('Activity')
@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Requires('audit:read')
  @Operation('List audit events, newest first')
  async listAuditEvents(@Scope() scope: ClientScope, @Query() query: AuditQuery): Promise<AuditPageDto> {
    const page = await this.audit.list(scope, query);
    return {
      events: page.items.map(({ event, subject }) => AuditEventDto.from(event, subject)),
      nextCursor: page.nextCursor,
    };
  }
}
