import type { CallToolResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Permission } from '../../access/permissions.js';
import type { ClientScope, Principal } from '../../access/principal.js';

/** One call of a tool. */
export interface ToolCall {
  readonly caller: Principal;
  /** Aborted when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /** The named client, or the caller's only client. */
  scopeOf(input: { clientId?: string | undefined }): Promise<ClientScope>;
}

/** An action that a model can take: the same as a REST route, with the same service and the same permission. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly description: string;
  /** Defined once: building a schema for each call would take longer than most calls. */
  readonly input: Input;
  readonly permission: Permission;
  /** `readOnly`: changes nothing. All other tools are idempotent. */
  readonly readOnly: boolean;
  /** The result is sent as JSON, unless it is already content. */
  run(input: z.output<Input>, call: ToolCall): Promise<object>;
}

/** For pictures, which are not JSON. */
export class ToolContent {
  constructor(readonly blocks: CallToolResult['content']) {}
}

/** Infers the type of the input for `run`, then erases it. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool;
}
