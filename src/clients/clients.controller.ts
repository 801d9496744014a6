import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Caller, Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope, Principal } from '../access/principal.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { PageQuery } from '../common/paging/page.js';
import { ClientDto, ClientPageDto, CreateClientDto, UpdateClientDto } from './clients.dto.js';
import { ClientsService } from './clients.service.js';

@ApiTags('Clients')
@Controller('admin/clients')
export class ClientsController {
  constructor(private readonly clients: ClientsService) {}

  @Get()
  @Requires('clients:read')
  @Operation('List the clients you have access to')
  async listClients(@Caller() caller: Principal, @Query() query: PageQuery): Promise<ClientPageDto> {
    const page = await this.clients.list(caller, query);
    return { clients: page.items.map((client) => ClientDto.from(client)), nextCursor: page.nextCursor };
  }

  @Post()
  @Requires('clients:manage')
  @Operation('Create a client, with its Social folders', ['grant_not_held', 'client_id_taken'])
  async createClient(@Caller() caller: Principal, @Body() body: CreateClientDto): Promise<ClientDto> {
    return ClientDto.from(await this.clients.create(caller, body));
  }

  @Patch(':clientId')
  @ApiParam({ name: 'clientId', example: 'demo' })
  @Requires('clients:manage')
  @Operation('Rename a client')
  async updateClient(@Scope() scope: ClientScope, @Body() body: UpdateClientDto): Promise<ClientDto> {
    return ClientDto.from(await this.clients.update(scope, body));
  }
}
