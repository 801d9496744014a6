import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Requires } from '../../access/access.decorators.js';
import type { Principal } from '../../access/principal.js';
import { Operation } from '../../common/openapi/operation.decorator.js';
import { RecordQuery } from '../record.query.js';
import { ReportRuntimeDto, RuntimeDto } from './seo-agents.dto.js';
import { SeoAgentsService } from './seo-agents.service.js';

@ApiTags('Diagnostics')
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

@ApiTags('Agents')
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
