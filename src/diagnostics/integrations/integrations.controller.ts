import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Requires, Scope } from '../../access/access.decorators.js';
import type { ClientScope } from '../../access/principal.js';
import { ClientDto } from '../../clients/clients.dto.js';
import { ClientsService } from '../../clients/clients.service.js';
import { Operation } from '../../common/openapi/operation.decorator.js';
import { ClientRecordDto, IntegrationDto, PutIntegrationDto } from './integrations.dto.js';
import { IntegrationsService } from './integrations.service.js';

@ApiTags('Integrations')
@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId')
export class IntegrationsController {
  constructor(
    private readonly clients: ClientsService,
    private readonly integrations: IntegrationsService,
  ) {}

  @Get()
  @Requires('clients:read')
  @Operation('Get a client, with the state of its integrations')
  async getClient(@Scope() scope: ClientScope): Promise<ClientRecordDto> {
    const [client, integrations] = await Promise.all([
      this.clients.get(scope),
      this.integrations.list(scope),
    ]);
    return { ...ClientDto.from(client), integrations: integrations.map((each) => IntegrationDto.from(each)) };
  }

  @Put('integrations/:kind')
  @ApiParam({ name: 'kind', example: 'wordpress' })
  @Requires('diagnostics:manage')
  @Operation('Set the state of an integration')
  async setIntegrationState(
    @Scope() scope: ClientScope,
    @Param('kind') kind: string,
    @Body() body: PutIntegrationDto,
  ): Promise<IntegrationDto> {
    return IntegrationDto.from(await this.integrations.put(scope, kind, body));
  }
}
