import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  type CallToolResult,
  createMcpHandler,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requirePermission } from '../../auth/access.guard.js';
import { ClientScopes } from '../../auth/client-scopes.js';
import type { ClientScope, Principal } from '../../access/principal.js';
import { Problem } from '../../common/errors/problem.js';
import { logger } from '../../common/logging/logger.js';
import { VERSION } from '../../config/version.js';
import { INSTRUCTIONS } from './instructions.js';
import { type Tool, ToolContent } from './tool.js';
import { errorResult } from './tool-errors.js';
import { AssetTools } from './tools/asset.tools.js';
import { DeliveryTools } from './tools/delivery.tools.js';
import { LibraryTools } from './tools/library.tools.js';
import { PublishingTools } from './tools/publishing.tools.js';

/** Implements the stateless Model Context Protocol: each request gets its own server, which knows its caller. */
@Injectable()
export class McpEndpoint {
  private readonly tools: readonly Tool[];
  private readonly handler = createMcpHandler(({ authInfo }) => this.serverFor(authInfo?.extra?.['caller']), {
    onerror: (error) => logger.info({ reason: error.message }, 'MCP request rejected'),
  });
  private readonly handle = toNodeHandler(this.handler, {
    onerror: (error) => logger.error({ err: error }, 'MCP request failed'),
  });

  constructor(
    private readonly scopes: ClientScopes,
    library: LibraryTools,
    assets: AssetTools,
    publishing: PublishingTools,
    deliveries: DeliveryTools,
  ) {
    this.tools = [library, assets, publishing, deliveries].flatMap(({ tools }) => tools);
  }

  async serve(request: Request, response: Response, caller: Principal): Promise<void> {
    const auth = { token: '', clientId: caller.id, scopes: [], extra: { caller } };
    // The SDK would reject callers that do not name both, such as Swagger UI and curl.
    request.headers.accept = 'application/json, text/event-stream';
    await this.handle(Object.assign(request, { auth }), response, request.body as unknown);
  }

  close(): Promise<void> {
    return this.handler.close();
  }

  private serverFor(caller: unknown): McpServer {
    const server = new McpServer(
      { name: 'client-asset-library', title: 'Client Asset Library', version: VERSION },
      // The tools never change, so there is nothing to subscribe to.
      { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: false } } },
    );
    for (const tool of this.tools) {
      const { name, description, input, readOnly } = tool;
      const annotations = readOnly
        ? { readOnlyHint: true }
        : { destructiveHint: false, idempotentHint: true };
      server.registerTool(name, { description, inputSchema: input, annotations }, (given, context) =>
        this.call(tool, given, caller as Principal, context),
      );
    }
    return server;
  }

  /** The SDK would send any exception to the model unchanged, so none is thrown. */
  private async call(
    tool: Tool,
    input: Record<string, unknown>,
    caller: Principal,
    context: ServerContext,
  ): Promise<CallToolResult> {
    try {
      requirePermission(caller, tool.permission);
      const result = await tool.run(input, {
        caller,
        signal: context.mcpReq.signal,
        scopeOf: ({ clientId }) => this.scopeOf(caller, clientId),
      });
      if (result instanceof ToolContent) return { content: result.blocks };
      return { content: [{ type: 'text', text: JSON.stringify(result) }] };
    } catch (error) {
      return errorResult(error);
    }
  }

  private async scopeOf(caller: Principal, clientId?: string): Promise<ClientScope> {
    const [only, ...others] = caller.clientIds ?? [];
    const wanted = clientId ?? (others.length === 0 ? only : undefined);
    if (wanted === undefined)
      throw Problem.validation(
        'clientId',
        'is required, because this key does not belong to exactly one client. Call list_clients.',
      );
    return this.scopes.ofClient(caller, wanted);
  }
}
