import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../access/access.decorators.js';
import { Problem } from '../../common/errors/problem.js';
import { NOT_STORED } from '../../common/http/not-stored.js';
import { Operation } from '../../common/openapi/operation.decorator.js';
import { MetricsService } from './metrics.service.js';

@ApiTags('Diagnostics')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: MetricsService) {}

  @Get()
  @Public()
  @ApiOkResponse({ content: { 'text/plain': { schema: { type: 'string' } } } })
  @Operation('Prometheus metrics; protected by METRICS_TOKEN, or served on METRICS_PORT, if set', [
    'unauthenticated',
    'route_not_found',
  ])
  async getMetrics(
    @Headers('authorization') authorization: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    if (!this.metrics.areServedHere) throw new Problem('route_not_found');
    if (!this.metrics.admits(authorization)) throw new Problem('unauthenticated');
    response.setHeader('Cache-Control', NOT_STORED);
    response.setHeader('Content-Type', this.metrics.contentType);
    response.send(await this.metrics.read());
  }
}
