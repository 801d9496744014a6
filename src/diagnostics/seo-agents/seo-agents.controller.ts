import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Caller, Requires, Scope } from '../../access/access.decorators.js';
import type { ClientScope, Principal } from '../../access/principal.js';
import { Operation } from '../../common/openapi/operation.decorator.js';
import { PageQuery } from '../../common/paging/page.js';
import { RecordQuery } from '../record.query.js';
import { ReportRuntimeDto, RuntimeDto, RuntimePageDto } from './seo-agents.dto.js';
import { SeoAgentsService } from './seo-agents.service.js';

@ApiTags('Integrations')
@Controller('admin/seo/agents/:agentId/runtime')
export class SeoAgentsController {
  constructor(private readonly agents: SeoAgentsService) {}

  @Get()
  @Requires('diagnostics:read')
  @Operation('Get the runtime state of an SEO agent', ['agent_not_found', 'client_required'])
  async getSeoAgent(
    @Caller() caller: Principal,
    @Param('agentId') agentId: string,
    @Query() query: RecordQuery,
  ): Promise<RuntimeDto> {
    const agent = await this.agents.get(caller, agentId, query);
    return RuntimeDto.from(agent, this.agents.isStale(agent));
  }
}

@ApiTags('Integrations')
@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/seo-agents')
export class ClientSeoAgentsController {
  constructor(private readonly agents: SeoAgentsService) {}

  @Get()
  @Requires('diagnostics:read')
  @Operation('List the SEO agents that have reported for a client')
  async listSeoAgents(@Scope() scope: ClientScope, @Query() query: PageQuery): Promise<RuntimePageDto> {
    const { items, nextCursor } = await this.agents.list(scope, query);
    return { agents: items.map((agent) => RuntimeDto.from(agent, this.agents.isStale(agent))), nextCursor };
  }
}

@ApiTags('Integrations')
@Controller('agents/seo/:agentId/runtime')
export class SeoAgentReportsController {
  constructor(private readonly agents: SeoAgentsService) {}

  @Put()
  @Requires('diagnostics:report')
  @Operation('Report the runtime state of an SEO agent (heartbeat)', ['client_not_found'])
  async reportSeoAgent(
    @Caller() caller: Principal,
    @Param('agentId') agentId: string,
    @Body() body: ReportRuntimeDto,
  ): Promise<RuntimeDto> {
    const agent = await this.agents.report(caller, agentId, body);
    return RuntimeDto.from(agent, this.agents.isStale(agent));
  }
}
