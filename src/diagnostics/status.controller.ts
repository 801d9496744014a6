import { Controller, Get, Ip } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../access/access.decorators.js';
import { Problem } from '../common/errors/problem.js';
import { Draining } from '../common/http/draining.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { PublicLimiter } from './public-limiter.js';
import { AliveDto, ReadyDto, StatusDto } from './status.dto.js';
import { StatusService } from './status.service.js';

@ApiTags('Diagnostics')
@Controller()
export class StatusController {
  constructor(
    private readonly service: StatusService,
    private readonly limiter: PublicLimiter,
    private readonly draining: Draining,
  ) {}

  @Get('status')
  @Public()
  @Operation('Get the platform status', ['too_many_requests'])
  async getStatus(@Ip() address: string): Promise<StatusDto> {
    await this.limiter.countHere('status', address);
    return this.service.status();
  }

  @Get('healthz')
  @Public()
  @Operation('Liveness: the process is running')
  getLiveness(): AliveDto {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Public()
  @Operation('Readiness: the process can serve requests', ['database_unavailable', 'shutting_down'])
  async getReadiness(): Promise<ReadyDto> {
    if (this.draining.hasStarted()) throw new Problem('shutting_down', undefined, { retryAfter: 5 });
    if ((await this.service.databaseState()) !== 'ok')
      throw new Problem('database_unavailable', undefined, { retryAfter: 2 });
    return { status: (await this.service.tempState()) === 'ok' ? 'ok' : 'degraded' };
  }
}
