import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../auth/access.decorators.js';
import { Operation } from '../../common/openapi/operation.decorator.js';
import { MetricsService } from './metrics.service.js';

@ApiTags('Diagnostics')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: MetricsService) {}

  @Get()
  @Public()
  @ApiOkResponse({ content: { 'text/plain': { schema: { type: 'string' } } } })
  @Operation('Metrics for Prometheus; behind METRICS_TOKEN when that is set', ['unauthenticated'])
  async read(
    @Headers('authorization') authorization: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    this.metrics.requireToken(authorization);
    response.setHeader('Content-Type', this.metrics.contentType);
    response.send(await this.metrics.read());
  }
}
