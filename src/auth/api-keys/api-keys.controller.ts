import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../common/openapi/operation.decorator.js';
import { PageQuery } from '../../common/paging/page.js';
import { Caller, Requires } from '../../access/access.decorators.js';
import type { Principal } from '../../access/principal.js';
import { ApiKeyDto, ApiKeyPageDto, CreateApiKeyDto, CreatedApiKeyDto } from './api-keys.dto.js';
import { ApiKeysService } from './api-keys.service.js';

@ApiTags('API keys')
@Controller('admin/api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Get()
  @Requires('api-keys:manage')
  @Operation('List API keys, newest first')
  async listApiKeys(@Caller() caller: Principal, @Query() query: PageQuery): Promise<ApiKeyPageDto> {
    const page = await this.keys.list(caller, query);
    return { apiKeys: page.items.map((key) => ApiKeyDto.from(key)), nextCursor: page.nextCursor };
  }

  @Post()
  @Requires('api-keys:manage')
  @Operation('Create an API key; the key is shown only once', ['grant_not_held'])
  async createApiKey(@Caller() caller: Principal, @Body() body: CreateApiKeyDto): Promise<CreatedApiKeyDto> {
    const { apiKey, key } = await this.keys.create(caller, body);
    return { ...ApiKeyDto.from(apiKey), key };
  }

  @Delete(':keyId')
  @HttpCode(204)
  @Requires('api-keys:manage')
  @Operation('Revoke an API key; it stops working with the next request', ['api_key_not_found'])
  async revokeApiKey(@Caller() caller: Principal, @Param('keyId') keyId: string): Promise<void> {
    await this.keys.revoke(caller, keyId);
  }
}
