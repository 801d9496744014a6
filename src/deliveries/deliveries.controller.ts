import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope } from '../access/principal.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { READ_PROBLEMS } from '../database/reads.js';
import {
  CreateDeliveriesDto,
  CreateDeliveryDto,
  DeliveriesQuery,
  DeliveryDto,
  DeliveryPageDto,
  DeliveryResultDto,
  DeliveryResultsDto,
} from './deliveries.dto.js';
import { DeliveriesService } from './deliveries.service.js';

@ApiTags('Deliveries')
abstract class DeliveriesController {
  constructor(protected readonly deliveries: DeliveriesService) {}

  @Post()
  @HttpCode(202)
  @Requires('deliveries:write')
  @ApiAcceptedResponse({ description: 'A new delivery, which a worker will process', type: DeliveryDto })
  @ApiOkResponse({
    description: 'The existing delivery of the same asset, rendition and target, in progress or delivered',
    type: DeliveryDto,
  })
  @Operation(
    'Deliver an asset to a target',
    [
      'asset_not_found',
      'target_not_found',
      'surface_not_allowed',
      'unsupported_media_type',
      'media_invalid',
      'credentials_unreadable',
    ],
    'Each combination of asset, rendition and target is delivered once, unless `force` is set. Get the delivery to follow its progress.',
  )
  async createDelivery(
    @Scope() scope: ClientScope,
    @Body() body: CreateDeliveryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeliveryDto> {
    const { delivery, isNew } = await this.deliveries.create(scope, body);
    if (!isNew) response.status(200);
    return DeliveryDto.from(delivery);
  }

  @Get(':deliveryId')
  @Requires('deliveries:read')
  @Operation('Get a delivery', ['delivery_not_found'])
  async getDelivery(
    @Scope() scope: ClientScope,
    @Param('deliveryId') deliveryId: string,
  ): Promise<DeliveryDto> {
    return DeliveryDto.from(await this.deliveries.get(scope, deliveryId));
  }
}

@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('agents/clients/:clientId/deliveries')
export class AgentDeliveriesController extends DeliveriesController {}

@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/deliveries')
export class AdminDeliveriesController extends DeliveriesController {
  @Get()
  @Requires('deliveries:read')
  @Operation('List deliveries, newest first')
  async listDeliveries(
    @Scope() scope: ClientScope,
    @Query() query: DeliveriesQuery,
  ): Promise<DeliveryPageDto> {
    const { items, nextCursor } = await this.deliveries.list(scope, query);
    return { deliveries: items.map((delivery) => DeliveryDto.from(delivery)), nextCursor };
  }

  @Post('batch')
  @HttpCode(202)
  @Requires('deliveries:write')
  @ApiAcceptedResponse({ type: DeliveryResultsDto })
  @Operation(
    'Deliver many assets to a target',
    ['target_not_found', 'surface_not_allowed', 'credentials_unreadable', ...READ_PROBLEMS],
    'An asset that cannot be delivered does not affect the others: each has a result of its own. As with single deliveries, repeating the request delivers nothing twice, unless `force` is set.',
  )
  async createDeliveries(
    @Scope() scope: ClientScope,
    @Body() body: CreateDeliveriesDto,
  ): Promise<DeliveryResultsDto> {
    const results = await this.deliveries.createMany(scope, body);
    return { results: results.map((result) => DeliveryResultDto.from(result)) };
  }

  @Post(':deliveryId/retry')
  @HttpCode(202)
  @Requires('deliveries:write')
  @Operation(
    'Retry a delivery',
    ['delivery_not_found', 'target_not_found', 'delivery_not_retryable', 'credentials_unreadable'],
    'For deliveries that failed, were cancelled, or are waiting for their next attempt. The attempt first checks what earlier attempts left on the target.',
  )
  async retryDelivery(
    @Scope() scope: ClientScope,
    @Param('deliveryId') deliveryId: string,
  ): Promise<DeliveryDto> {
    return DeliveryDto.from(await this.deliveries.retry(scope, deliveryId));
  }

  @Post(':deliveryId/cancel')
  @HttpCode(200)
  @Requires('deliveries:write')
  @Operation(
    'Cancel a delivery',
    ['delivery_not_found', 'delivery_not_cancellable'],
    'Possible until the first byte is sent.',
  )
  async cancelDelivery(
    @Scope() scope: ClientScope,
    @Param('deliveryId') deliveryId: string,
  ): Promise<DeliveryDto> {
    return DeliveryDto.from(await this.deliveries.cancel(scope, deliveryId));
  }
}
