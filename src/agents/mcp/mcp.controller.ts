import { Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller, Requires } from '../../access/access.decorators.js';
import type { Principal } from '../../access/principal.js';
import { Problem } from '../../common/errors/problem.js';
import { NOT_STORED } from '../../common/http/not-stored.js';
import { Operation } from '../../common/openapi/operation.decorator.js';
import type { Config } from '../../config/config.js';
import { InjectConfig } from '../../config/config.token.js';
import { McpService } from './mcp.service.js';

const MAX_BATCH = 10;

const MESSAGE = {
  type: 'object',
  required: ['jsonrpc'],
  properties: {
    jsonrpc: { type: 'string', enum: ['2.0'] },
    id: { type: ['string', 'integer'], description: 'Absent in notifications' },
    method: { type: 'string', example: 'tools/call' },
    params: { type: 'object', additionalProperties: true },
    result: { type: 'object', additionalProperties: true },
    error: { type: 'object', additionalProperties: true },
  },
};

const EXAMPLE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'find_assets', arguments: { clientId: 'demo', surface: 'social', q: 'storefront' } },
};

const DESCRIPTION = `Stateless Streamable HTTP, protocol revision 2026-07-28 and the 2025 revisions. The tools do the same as the other agent routes, with the same permissions. Errors are returned as the result of the call (\`isError\`) with the same codes. Revisions before 2025-06-18 may send up to ${MAX_BATCH} messages as an array.

Authenticate with a header; the session cookie is not accepted. Requests with an \`Origin\` other than \`PUBLIC_URL\` and \`CORS_ORIGINS\` are rejected.`;

@ApiTags('MCP')
@Controller('agents/mcp')
export class McpController {
  private readonly origins: ReadonlySet<string>;

  constructor(
    private readonly mcp: McpService,
    @InjectConfig() { http }: Config,
  ) {
    this.origins = new Set([new URL(http.publicUrl).origin, ...http.corsOrigins]);
  }

  @Post()
  @HttpCode(200)
  @Requires('assets:resolve', { byCookie: false })
  @ApiBody({ schema: MESSAGE, examples: { call: { value: EXAMPLE } } })
  @ApiOkResponse({
    description: 'The response, as one JSON-RPC message or as a stream of messages',
    content: {
      'application/json': { schema: MESSAGE },
      'text/event-stream': { schema: { type: 'string' } },
    },
  })
  @ApiAcceptedResponse({ description: 'A notification was received' })
  @Operation('Model Context Protocol', ['origin_not_allowed'], DESCRIPTION)
  async sendMcpMessage(
    @Req() request: Request,
    @Res() response: Response,
    @Caller() caller: Principal,
  ): Promise<void> {
    this.rejectBrowsers(request);
    const body: unknown = request.body;
    if (body === undefined)
      throw new Problem('unsupported_body', 'Send a JSON-RPC message as application/json.');
    if (Array.isArray(body) && body.length > MAX_BATCH)
      throw Problem.validation('body', `must contain no more than ${MAX_BATCH} messages`);
    response.setHeader('Cache-Control', NOT_STORED);
    await this.mcp.serve(request, response, caller);
  }

  @Get()
  @HttpCode(405)
  @Requires('assets:resolve', { byCookie: false })
  @Operation('Not supported: there are no sessions to listen to', ['method_not_allowed'])
  openMcpStream(): never {
    return rejectMethod();
  }

  @Delete()
  @HttpCode(405)
  @Requires('assets:resolve', { byCookie: false })
  @Operation('Not supported: there are no sessions to end', ['method_not_allowed'])
  endMcpSession(): never {
    return rejectMethod();
  }

  /** Pages of other origins must not call tools, not even with our session cookie. */
  private rejectBrowsers({ headers }: Request): void {
    if (headers.authorization === undefined && headers['x-api-key'] === undefined)
      throw new Problem(
        'unauthenticated',
        'Send the API key in a header. The session cookie is not accepted here.',
      );
    if (headers.origin !== undefined && !this.origins.has(headers.origin))
      throw new Problem('origin_not_allowed');
  }
}

function rejectMethod(): never {
  throw new Problem('method_not_allowed', 'Send messages with POST.', { headers: { Allow: 'POST' } });
}
