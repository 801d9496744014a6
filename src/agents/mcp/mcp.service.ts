import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Principal } from '../../access/principal.js';
import type { McpEndpoint } from './mcp-endpoint.js';

/** Loads the SDK with the first request: it would slow down every start, and many processes never need it. */
@Injectable()
export class McpService implements OnApplicationShutdown {
  private endpoint: Promise<McpEndpoint> | null = null;

  constructor(private readonly modules: LazyModuleLoader) {}

  async serve(request: Request, response: Response, caller: Principal): Promise<void> {
    this.endpoint ??= this.load().catch((error: unknown) => {
      this.endpoint = null;
      throw error;
    });
    const endpoint = await this.endpoint;
    await endpoint.serve(request, response, caller);
  }

  async onApplicationShutdown(): Promise<void> {
    const endpoint = await this.endpoint;
    await endpoint?.close();
  }

  private async load(): Promise<McpEndpoint> {
    const { McpEndpoint, McpEndpointModule } = await import('./mcp-endpoint.module.js');
    const module = await this.modules.load(() => McpEndpointModule);
    return module.get(McpEndpoint);
  }
}
