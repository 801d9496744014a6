import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Caller, Requires, Scope } from '../../access/access.decorators.js';
import type { ClientScope, Principal } from '../../access/principal.js';
import { Operation } from '../../common/openapi/operation.decorator.js';
import { PageQuery } from '../../common/paging/page.js';
import { ADS_PROVIDERS } from '../../database/entities/ads-connection.entity.js';
import { RecordQuery } from '../record.query.js';
import { ConnectionDto, ConnectionPageDto, ReportConnectionDto } from './ads-connections.dto.js';
import { AdsConnectionsService } from './ads-connections.service.js';

@ApiTags('Integrations')
@ApiParam({ name: 'provider', enum: ADS_PROVIDERS, example: 'google' })
@ApiParam({ name: 'connectionId', example: 'google-demo' })
@Controller('admin/:provider-ads/connections/:connectionId')
export class AdsConnectionsController {
  constructor(private readonly connections: AdsConnectionsService) {}

  @Get()
  @Requires('diagnostics:read')
  @Operation('Get the state of an advertising connection', ['connection_not_found', 'client_required'])
  async getAdsConnection(
    @Caller() caller: Principal,
    @Param('provider') provider: string,
    @Param('connectionId') connectionId: string,
    @Query() query: RecordQuery,
  ): Promise<ConnectionDto> {
    return ConnectionDto.from(await this.connections.get(caller, provider, connectionId, query));
  }

  @Put()
  @Requires('diagnostics:report')
  @Operation('Report the state of an advertising connection', ['client_not_found', 'connection_not_found'])
  async reportAdsConnection(
    @Caller() caller: Principal,
    @Param('provider') provider: string,
    @Param('connectionId') connectionId: string,
    @Body() body: ReportConnectionDto,
  ): Promise<ConnectionDto> {
    return ConnectionDto.from(await this.connections.report(caller, provider, connectionId, body));
  }
}

@ApiTags('Integrations')
@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/ads-connections')
export class ClientAdsConnectionsController {
  constructor(private readonly connections: AdsConnectionsService) {}

  @Get()
  @Requires('diagnostics:read')
  @Operation('List the advertising connections of a client')
  async listAdsConnections(
    @Scope() scope: ClientScope,
    @Query() query: PageQuery,
  ): Promise<ConnectionPageDto> {
    const { items, nextCursor } = await this.connections.list(scope, query);
    return { connections: items.map((each) => ConnectionDto.from(each)), nextCursor };
  }
}
