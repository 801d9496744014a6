import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { createServer } from 'node:http';
import type { HttpTimeouts } from '../../config/config.js';
import { NOT_STORED } from './not-stored.js';

/** Longer than the keep-alive of proxies, so that they never send a request on a connection that is being closed. */
const KEEP_ALIVE_MS = 75_000;
const CHECK_MS = 1_000;

/** Serves HTTP with timeouts against slow and disconnected clients. Some of them can only be set when the server is created. */
export class BoundedHttpAdapter extends ExpressAdapter {
  constructor(private readonly timeouts: HttpTimeouts) {
    super();
  }

  override initHttpServer(): void {
    const { headersSeconds, requestSeconds, idleSeconds } = this.timeouts;
    const options = {
      headersTimeout: Math.min(headersSeconds, requestSeconds) * 1000,
      requestTimeout: requestSeconds * 1000,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_MS,
    };
    this.httpServer = createServer(options, this.getInstance());
    this.httpServer.timeout = idleSeconds * 1000;
  }

  /** Sends what a handler returns. */
  override reply(response: Response, body: unknown, status?: number): unknown {
    if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', NOT_STORED);
    return super.reply(response, body, status);
  }
}
