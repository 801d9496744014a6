import { Injectable, type OnModuleInit } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import {
  collectProcessMetrics,
  poolConnections,
  queueAge,
  queueJobs,
  registry,
  tempFreeBytes,
} from '../../common/metrics/metrics.js';
import type { Config } from '../../config/config.js';
import { InjectConfig } from '../../config/config.token.js';
import { hashSecret } from '../../common/tokens.js';
import { TempFiles } from '../../storage/temp-files.js';
import { StatusRepository } from '../status.repository.js';

@Injectable()
export class MetricsService implements OnModuleInit {
  readonly contentType = registry.contentType;

  constructor(
    private readonly repository: StatusRepository,
    private readonly tempFiles: TempFiles,
    @InjectConfig() private readonly config: Config,
  ) {}

  onModuleInit(): void {
    collectProcessMetrics();
  }

  /** Whether they are served on the port of the API. */
  get areServedHere(): boolean {
    return this.config.metrics.port === null;
  }

  admits(authorization: string | undefined): boolean {
    const { token } = this.config.metrics;
    if (token === null) return true;
    const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
    return timingSafeEqual(hashSecret(given), hashSecret(token));
  }

  /** Counters are always current; gauges are updated now. */
  async read(): Promise<string> {
    for (const [state, count] of Object.entries(this.repository.poolState()))
      poolConnections.set({ state }, count);
    const queue = await this.repository.queueLength();
    queueJobs.set(queue.jobs);
    queueAge.set(queue.oldestSeconds);
    tempFreeBytes.set(await this.tempFiles.freeBytes());
    return registry.metrics();
  }
}
