import { ExpressAdapter } from '@nestjs/platform-express';
import { createServer } from 'node:http';
import type { HttpTimeouts } from '../../config/config.js';

/** Longer than proxies keep a connection, so that they never send a request into one that is just being closed. */
const KEEP_ALIVE_MS = 75_000;
const CHECK_MS = 1_000;

/** Serves HTTP with bounds against clients that are slow or gone. Some of them can only be given when the server is made. */
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
}
