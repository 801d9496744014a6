import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ownHosts } from '../../common/http/own-hosts.js';
import { logger } from '../../common/logging/logger.js';
import type { Config } from '../../config/config.js';
import { InjectConfig } from '../../config/config.token.js';
import { MetricsService } from './metrics.service.js';

const TIMEOUT_MS = 10_000;

/** Serves metrics on a separate port: not public, and available in workers, which serve nothing else. */
@Injectable()
export class MetricsListener implements OnApplicationBootstrap, OnApplicationShutdown {
  private server: Server | null = null;
  private readonly isOwnHost: (header: string | undefined) => boolean;

  constructor(
    private readonly metrics: MetricsService,
    @InjectConfig() private readonly config: Config,
  ) {
    this.isOwnHost = config.embedded ? ownHosts(config.http) : () => true;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { port } = this.config.metrics;
    if (port === null) return;
    const limits = { headersTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS };
    this.server = createServer(limits, (request, response) => {
      this.respond(request, response).catch((error: unknown) => {
        logger.warn({ err: error }, 'could not collect metrics');
        end(response, 500);
      });
    });
    this.server.listen(port, this.config.http.host);
    await once(this.server, 'listening');
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.isOwnHost(request.headers.host)) return end(response, 421);
    if (request.method !== 'GET' || request.url !== '/metrics') return end(response, 404);
    if (!this.metrics.admits(request.headers.authorization)) return end(response, 401);
    const text = await this.metrics.read();
    response.writeHead(200, { 'Content-Type': this.metrics.contentType }).end(text);
  }
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}
