import { Controller, Get, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope } from '../access/principal.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { PageQuery } from '../common/paging/page.js';
import { AuditPageDto, AuditEventDto } from './audit.dto.js';
import { AuditService } from './audit.service.js';

@ApiTags('Audit')
@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Requires('audit:read')
  @Operation('List audit events, newest first')
  async listAuditEvents(@Scope() scope: ClientScope, @Query() query: PageQuery): Promise<AuditPageDto> {
    const page = await this.audit.list(scope, query);
    return { events: page.items.map((event) => AuditEventDto.from(event)), nextCursor: page.nextCursor };
  }
}
