import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiParam, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller, Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope, Principal } from '../access/principal.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { READ_PROBLEMS } from '../database/reads.js';
import { ActivityService } from './activity.service.js';
import { sendActivity } from './audit-response.js';
import { AuditPageDto } from './audit.dto.js';
import { AuditFilterQuery, AuditQuery } from './audit.query.js';

const DESCRIPTION =
  `With \`Accept: text/csv\`, the response is a CSV file of all events that match, from the cursor on and whatever the
\`limit\`. Combine a kind without an id with other filters: events are not indexed by it.`.replace('\n', ' ');

const PAGE_OR_CSV = {
  content: {
    'application/json': { schema: { $ref: getSchemaPath(AuditPageDto) } },
    'text/csv': { schema: { type: 'string' as const } },
  },
};

@ApiTags('Activity')
@ApiExtraModels(AuditPageDto)
abstract class ClientAuditController {
  constructor(private readonly activity: ActivityService) {}

  @Get()
  @Requires('audit:read')
  @ApiOkResponse(PAGE_OR_CSV)
  @Operation(
    'List what happened in a client, newest first',
    ['not_acceptable', ...READ_PROBLEMS],
    DESCRIPTION,
  )
  listAuditEvents(
    @Scope() scope: ClientScope,
    @Query() query: AuditQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return sendActivity(request, response, {
      name: `activity-${scope.clientId}`,
      page: () => this.activity.list(scope, query),
      all: () => this.activity.export(scope, query),
    });
  }
}

@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/audit')
export class AdminClientAuditController extends ClientAuditController {}

@Controller('portal/audit')
export class PortalAuditController extends ClientAuditController {}

@ApiTags('Activity')
@ApiExtraModels(AuditPageDto)
@Controller('admin/audit')
export class AuditController {
  constructor(private readonly activity: ActivityService) {}

  @Get()
  @Requires('audit:read-all')
  @ApiOkResponse(PAGE_OR_CSV)
  @Operation(
    'List what happened everywhere, newest first',
    ['not_acceptable', ...READ_PROBLEMS],
    `In all clients of the caller, with what happened to the users and API keys of only those clients, and their sign-ins. ${DESCRIPTION}`,
  )
  listAllAuditEvents(
    @Caller() caller: Principal,
    @Query() query: AuditFilterQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return sendActivity(request, response, {
      name: 'activity',
      page: () => this.activity.listAll(caller, query),
      all: () => this.activity.exportAll(caller, query),
    });
  }
}
